"""Simulated colour vision: three kinds of colour blindness, and no colour at all.

The matrices are those of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009), at full
severity; they apply to linear RGB. Grey is relative luminance as WCAG 2 and ITU-R BT.709 define it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

__all__ = ["EYES", "contrast", "linear", "luminance", "seen", "simulated"]

_LUMINANCE = (0.2126, 0.7152, 0.0722)

#: Kind of vision -> its matrix for linear red, green and blue, (3, 3).
EYES: Mapping[str, NDArray[np.float64]] = {
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "grey": np.array([_LUMINANCE, _LUMINANCE, _LUMINANCE]),
}
#: The number of steps of the table that converts linear light back.
_FINE = 4095


def linear(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the linear light of sRGB values, both 0..1."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _encoded(light: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


_TO_LIGHT = linear(np.arange(256) / 255).astype(np.float32)
_FROM_LIGHT = np.rint(_encoded(np.arange(_FINE + 1) / _FINE) * 255).astype(np.uint8)


def simulated(pixels: NDArray[np.uint8], eye: str) -> NDArray[np.uint8]:
    """Return sRGB pixels (..., 3) as an eye sees them."""
    light = _TO_LIGHT[pixels] @ EYES[eye].T.astype(np.float32)
    return _FROM_LIGHT[(np.clip(light, 0.0, 1.0) * _FINE + 0.5).astype(np.int16)]


def seen(image: QImage, eye: str) -> QImage:
    """Return an opaque picture as an eye sees it, with the same device pixel ratio."""
    source = image.convertToFormat(QImage.Format.Format_RGB32)
    wide, tall = source.width(), source.height()
    raw = np.frombuffer(source.constBits(), dtype=np.uint8).reshape(tall, source.bytesPerLine())
    made = np.full((tall, wide, 4), 255, dtype=np.uint8)
    made[..., 2::-1] = simulated(raw[:, : wide * 4].reshape(tall, wide, 4)[..., 2::-1], eye)
    result = QImage(made.data, wide, tall, wide * 4, QImage.Format.Format_RGB32).copy()
    result.setDevicePixelRatio(image.devicePixelRatio())
    return result


def luminance(color: QColor) -> float:
    """Return the relative luminance as WCAG 2 defines it, 0..1."""
    parts = np.array([color.redF(), color.greenF(), color.blueF()])
    return float(linear(parts) @ np.array(_LUMINANCE))


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast of two opaque colours as WCAG 2 defines it, 1..21."""
    dim, bright = sorted((luminance(a), luminance(b)))
    return (bright + 0.05) / (dim + 0.05)

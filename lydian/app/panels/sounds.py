"""The settings of sound: switched on or off, the volume, and each sound to try."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QPushButton, QSlider, QWidget

from lydian.app.kit.follow import follow
from lydian.app.kit.layout import across, fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.desk.sounding import Sounding
from lydian.language import tr, translated
from lydian.sound.voices import VOICES

__all__ = ["SoundPopup"]

ABOUT = tr(
    "Each event is heard from the place of its process, and its pitch is the state of the process. A hum lasts as "
    "long as messages are in transit. Headphones make left and right clearer."
)
#: The number of columns of the buttons.
COLUMNS = 2


class SoundPopup(Popup):
    """A popup with a box, a slider and a button for each voice.

    Attributes:
        box: switches sound on or off.
        volume: the slider, in per cent.
        buttons: the buttons by the names of their voices.
    """

    def __init__(self, sounding: Sounding, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, margins=14, spacing=8)
        self.setAccessibleName(tr("Sound"))
        self.sounding = sounding
        self.box = set_up(QCheckBox(tr("Play the sound of the run (M)")), tip=tr("Hear the events of the run"))
        self.box.toggled.connect(sounding.switch)
        self.volume = set_up(QSlider(Qt.Orientation.Horizontal), name=tr("Volume in per cent"), tip=tr("Volume"))
        self.volume.setRange(0, 100)
        self.volume.setPageStep(10)
        self.volume.valueChanged.connect(lambda value: sounding.set_volume(value / 100))
        self.amount = set_up(QLabel())
        self.amount.setMinimumWidth(self.fontMetrics().horizontalAdvance("100 %"))
        self.amount.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.buttons: dict[str, QPushButton] = {}
        self._heading = set_look(QLabel(tr("Try each sound")), theme, font="body semibold")
        row = across(tr("Volume"), (self.volume, 1), self.amount, spacing=10)
        fill(self.column, self.box, row, 2, self._heading, self._voices(theme))
        fill(self.column, set_up(QLabel(ABOUT), look="hint", wraps=True))
        follow(self, sounding.changed, self.refresh)
        self.refresh()

    def _voices(self, theme: Theme) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(6)
        rows = -(-len(VOICES) // COLUMNS)
        for number, voice in enumerate(VOICES.values()):
            title = translated(voice.title, "sound of an event")
            button = set_up(
                QPushButton(title), name=tr("Try: {sound}", sound=title),
                clicked=partial(self._try, voice.name),
            )  # fmt: skip
            set_look(button, theme, icon="play", ink="text.secondary", icon_size=stretched(14))
            self.buttons[voice.name] = button
            grid.addWidget(button, number % rows, number // rows)
        return grid

    def _try(self, voice: str, _checked: bool = False) -> None:
        self.sounding.hear_voice(voice)

    def refresh(self) -> None:
        """Show the settings as they are."""
        on, volume = self.sounding.on, round(100 * self.sounding.speaker.volume)
        with QSignalBlocker(self.box), QSignalBlocker(self.volume):
            self.box.setChecked(on)
            self.volume.setValue(volume)
        self.amount.setText(tr("{share} %", share=volume))
        tip = tr("Hear this sound once") if on else tr("Switch sound on first")
        for button in self.buttons.values():
            button.setEnabled(on)
            button.setToolTip(tip)

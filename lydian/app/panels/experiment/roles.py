"""The popup of the card Roles: which processes play which role, for a protocol with several classes of processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from lydian.app.kit.form import BoundForm
from lydian.app.kit.layout import fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.language import tr, trn
from lydian.model.errors import BadInput
from lydian.model.network import Network
from lydian.model.protocol.roles import REST, roles_from

__all__ = ["RolesPopup", "card_text"]

Roles = Mapping[str, tuple[str, ...] | str]


def card_text(roles: Roles, known: Sequence[str]) -> tuple[str, str]:
    """Return the value and the remark of the card."""
    if not roles:
        return tr("Chosen by the protocol"), ", ".join(known)
    told = [
        tr("{role}: all others", role=role) if names == REST else f"{role}: {', '.join(names)}"
        for role, names in roles.items()
    ]
    return trn("{count} role assigned", "{count} roles assigned", len(roles)), "; ".join(told)


class RolesPopup(Popup):
    """The popup with a field for each role, which contains the names of its processes.

    Impossible assignments are explained and not used.

    Args:
        known: the roles of the protocol.
    """

    #: The new table of roles.
    changed = Signal(object)

    def __init__(self, parent: QWidget, known: Sequence[str]) -> None:
        super().__init__(parent)
        self._roles: Roles = {}
        self._network: Network | None = None
        self.explained = set_up(QLabel(), look="explained", wraps=True)
        self.explained.setText(
            tr(
                "The names of the processes, such as 1, 2; * for all others. "
                "What is left empty is as in the network, or chosen by the protocol."
            )
        )
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.form = BoundForm(lambda _key: self.commit(), lambda _key: self._check())
        self.fields = {role: self.form.add(role, role, QLineEdit(), live=False) for role in known}
        fill(self.column, self.explained, self.form.rows, self.problem)

    def open(self, below: QWidget, roles: Roles, network: Network | None) -> None:
        """Show the roles and their processes."""
        self._roles, self._network = roles, network
        given = {role: REST if names == REST else ", ".join(names) for role, names in roles.items()}
        for role, field in self.fields.items():
            field.setPlaceholderText(self._as_it_is(role))
        self.form.say({role: given.get(role, "") for role in self.fields})
        self.problem.hide()
        self.open_below(below, 380)
        next(iter(self.fields.values())).setFocus()

    def _as_it_is(self, role: str) -> str:
        """Return the processes that have a role in the network."""
        known = {} if self._network is None else self._network.roles
        return ", ".join(name for name, each in known.items() if each == role) or tr("chosen by the protocol")

    def _check(self) -> Roles | None:
        """Return the table in the fields, or ``None`` if it is impossible, with an explanation below."""
        try:
            processes = () if self._network is None else self._network.processes
            found = roles_from({role: field.text() for role, field in self.fields.items()}, processes)
        except BadInput as error:
            self.problem.setText(error.remark)
            self.problem.show()
            self.adjustSize()
            return None
        self.problem.hide()
        return found

    def commit(self) -> None:
        """Emit the table in the fields if it is possible and has changed."""
        roles = self._check()
        if roles is not None and roles != self._roles:
            self._roles = roles
            self.changed.emit(roles)

"""The place where a sweep runs, and the folder of its results."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QToolButton, QWidget

from lydian.app.kit.fields import Segment, heading
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.sweep.form.parts import Said
from lydian.batch.spark.session import check_master
from lydian.desk.settings import Settings
from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["HERE", "WhereBox"]

#: All cores of this computer.
HERE = "local[*]"
_WHERE = (
    ("here", tr("This computer"), tr("Use all cores of this computer")),
    ("cluster", tr("Spark cluster"), tr("Use a running Spark cluster")),
)
_SAME = tr("The results are the same in both cases: a run depends only on its seed.")


class WhereBox(QWidget):
    """A choice, the address of a cluster, and a folder; saved in the settings, not in the sweep."""

    #: Emitted when the user has changed something.
    changed = Signal()

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        kept = settings.record("sweep_where")
        self.where = Segment(tr("Where"), _WHERE, theme, height=24)
        self.where.say("cluster" if kept.get("cluster") else "here")
        self.where.chosen.connect(lambda _key: self._edited())
        self.address = QLineEdit(str(kept.get("master", "")))
        self.address.setAccessibleName(tr("Address of the cluster"))
        self.address.setPlaceholderText("spark://host:7077")
        self.address.textEdited.connect(lambda _text: self._edited())
        self.said = Said()
        self.folder = QLineEdit()
        self.folder.setAccessibleName(tr("Folder of the results"))
        self.folder.textEdited.connect(lambda _text: self._edited())
        self.choose = set_up(QToolButton(), name=tr("Choose a folder"), tip=tr("Choose a folder"), clicked=self._choose)
        self.wrong = Said()
        down(
            heading(tr("Run on")), self.where, self.address, self.said, 6, heading(tr("Results in")),
            across((self.folder, 1), self.choose, spacing=4),
            self.wrong, on=self, spacing=5,
        )  # fmt: skip
        set_look(self.choose, theme, icon="open", ink="text.secondary")
        self._show()

    @property
    def cluster(self) -> bool:
        """Whether the sweep runs on a cluster."""
        return self.where.buttons["cluster"].isChecked()

    @property
    def master(self) -> str:
        """The URL of the Spark master."""
        return self.address.text().strip() if self.cluster else HERE

    @property
    def problem(self) -> str:
        """The error in a sentence; empty if there is none."""
        return self.wrong.text() or (self.said.text() if self.said.objectName() == "problem" else "")

    def offer(self, folder: Path) -> None:
        """Set the folder that is used if none is typed."""
        self.folder.setPlaceholderText(str(folder))
        self.folder.setToolTip(self.folder.text() or str(folder))

    @property
    def target(self) -> Path:
        """The folder of the results."""
        return Path(self.folder.text().strip() or self.folder.placeholderText()).expanduser()

    def _edited(self) -> None:
        self.settings.set_record("sweep_where", {"cluster": self.cluster, "master": self.address.text().strip()})
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        self.address.setVisible(self.cluster)
        problem = ""
        if self.cluster:
            try:
                check_master(self.master)
            except BadInput as error:
                problem = error.what.rpartition("; ")[2]
                problem = f"{problem[:1].upper()}{problem[1:]}."
        self.said.say(problem or _SAME, problem=bool(problem))
        mark(self.address, bad=bool(problem))
        typed = self.folder.text().strip()
        wrong = ""
        if typed:
            path = Path(typed).expanduser()
            if not path.is_absolute():
                wrong = tr("The path must be absolute.")
            elif path.is_file():
                wrong = tr("This is a file; choose a folder for the results.")
            elif path.is_dir() and any(path.iterdir()):
                wrong = tr("This folder is not empty; choose a new one for the results.")
        self.wrong.say(wrong)
        mark(self.folder, bad=bool(wrong))

    def check(self) -> None:
        """Check the folder again, as files may have been added to it."""
        self._show()

    def _choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Choose a folder for the results"), self.settings.folder)
        if name:
            path = Path(name)
            taken = path.is_dir() and any(path.iterdir())
            self.folder.setText(str(path / Path(self.folder.placeholderText()).name if taken else path))
            self._edited()

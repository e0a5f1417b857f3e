"""Where a sweep runs, and where its results go."""

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
from lydian.model.errors import BadInput

__all__ = ["HERE", "WhereBox"]

#: All cores of this computer.
HERE = "local[*]"
_WHERE = (
    ("here", "This computer", "On all its cores"),
    ("cluster", "Spark cluster", "On a cluster that runs already"),
)
_SAME = "The results are the same either way: a run depends on its seed alone."


class WhereBox(QWidget):
    """A choice, the address of a cluster, and a folder; kept in the settings, no part of the sweep."""

    #: Something was chosen.
    changed = Signal()

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        kept = settings.record("sweep_where")
        self.where = Segment("Where", _WHERE, theme, height=24)
        self.where.say("cluster" if kept.get("cluster") else "here")
        self.where.chosen.connect(lambda _key: self._edited())
        self.address = QLineEdit(str(kept.get("master", "")))
        self.address.setAccessibleName("Address of the cluster")
        self.address.setPlaceholderText("spark://host:7077")
        self.address.textEdited.connect(lambda _text: self._edited())
        self.said = Said()
        self.folder = QLineEdit()
        self.folder.setAccessibleName("Folder of the results")
        self.folder.textEdited.connect(lambda _text: self._edited())
        self.choose = set_up(QToolButton(), name="Choose a folder", tip="Choose a folder", clicked=self._choose)
        self.wrong = Said()
        down(
            heading("Where"), self.where, self.address, self.said, 6, heading("Results in"),
            across((self.folder, 1), self.choose, spacing=4),
            self.wrong, on=self, spacing=5,
        )  # fmt: skip
        set_look(self.choose, theme, icon="open", ink="text.secondary")
        self._show()

    @property
    def cluster(self) -> bool:
        """Whether it runs elsewhere."""
        return self.where.buttons["cluster"].isChecked()

    @property
    def master(self) -> str:
        """The master URL."""
        return self.address.text().strip() if self.cluster else HERE

    @property
    def problem(self) -> str:
        """What is wrong, in a sentence; nothing if all is well."""
        return self.wrong.text() or (self.said.text() if self.said.objectName() == "problem" else "")

    def offer(self, folder: Path) -> None:
        """The folder that is taken if none is typed."""
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
                wrong = "Write the whole path, from the root on."
            elif path.is_file():
                wrong = "This is a file; the results need a folder of their own."
            elif path.is_dir() and any(path.iterdir()):
                wrong = "This folder holds other things; the results need a new one."
        self.wrong.say(wrong)
        mark(self.folder, bad=bool(wrong))

    def check(self) -> None:
        """Look at the folder again; something may lie there meanwhile."""
        self._show()

    def _choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "A folder for the results", self.settings.folder)
        if name:
            path = Path(name)
            taken = path.is_dir() and any(path.iterdir())
            self.folder.setText(str(path / Path(self.folder.placeholderText()).name if taken else path))
            self._edited()

"""A page of the guide: Markdown in the colours of the theme, with pictures and with links into LYDIAN."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from lydian.app.look.theme import Theme
from lydian.app.panels.help.guidetext import for_theme
from lydian.app.panels.help.helpwords import with_offers
from lydian.desk.guide.glossary import GLOSSARY
from lydian.desk.guide.pages import guide, slug
from lydian.desk.guide.search import densest
from lydian.language import tr
from lydian.model.finding import fold, matches

__all__ = ["Page"]

#: The number of pixels between the text and the edge of the panel.
MARGIN = 14
_ROLES = {1: "display", 2: "heading", 3: "title"}


class Page(QTextBrowser):
    """One page of the guide, drawn in the theme's colours; pictures are never wider than the page."""

    #: A ``lydian:`` link was clicked: the verb and its object (``run``, ``two-wings``).
    asked = Signal(str, str)
    #: Another page or section is shown.
    moved = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.file: Path | None = None
        self._wide = 0
        self._past: list[tuple[Path, int, int]] = []
        self._ahead: list[tuple[Path, int, int]] = []
        self._pictures: dict[str, QImage] = {}
        self._found: Sequence[str] = ()  # the words that are highlighted
        self.setObjectName("helpPage")
        self.setAccessibleName(tr("Guide"))
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # pictures keep their size
        self.document().setDocumentMargin(MARGIN)
        self.anchorClicked.connect(self.follow)
        self.highlighted.connect(lambda url: self.setToolTip(_words(url)))

    # ------------------------------------------------------------------ navigation

    def go_found(self, file: Path, anchor: str, words: Sequence[str]) -> None:
        """Show a section with every word highlighted that begins with one of the given (folded) words."""
        self.go(file, anchor)
        spans = self.highlight(words)
        top = self.textCursor().block() if anchor else self.document().begin()
        end = top.next()
        while end.isValid() and not self._begins(end):
            end = end.next()
        last = end.position() if end.isValid() else self.document().characterCount()
        first = densest(fold(self.toPlainText()), [span for span in spans if top.position() <= span[0] < last])
        cursor = QTextCursor(self.document())
        cursor.setPosition(first)
        place, high, bar = self.cursorRect(cursor), self.viewport().height(), self.verticalScrollBar()
        if place.bottom() > high:
            bar.setValue(bar.value() + place.top() - high // 4)

    def go(self, file: Path, anchor: str = "", word: str = "") -> None:
        """Show a page at one of its sections, with a word of it marked; :meth:`back` returns to the previous page."""
        if self.file is not None:
            self._past.append(self._here())
            self._ahead.clear()
        self.highlight(())
        self._show(file)
        self._to(anchor)
        self._mark(word)
        self.moved.emit()

    def show_file(self, file: Path) -> None:
        """Show a page at its beginning or, if it is shown already, at the place where it was."""
        top = self.verticalScrollBar().value() if file == self.file else 0
        self._show(file)
        self.moveCursor(QTextCursor.MoveOperation.Start)  # or the page is scrolled to its end when it is shown
        self.verticalScrollBar().setValue(top)

    def back(self) -> None:
        """Go back to the previous page."""
        self._turn(self._past, self._ahead)

    def onward(self) -> None:
        """Go forward to the page from which the user went back."""
        self._turn(self._ahead, self._past)

    @property
    def can(self) -> tuple[bool, bool]:
        """Return whether there is a page to go back to, and one to go forward to."""
        return bool(self._past), bool(self._ahead)

    def follow(self, url: QUrl) -> None:
        """Follow a link: another section or page, an example in the window, a file elsewhere."""
        if url.scheme() == "lydian":
            verb, _slash, what = url.path().strip("/").replace(" ", "/").partition("/")
            self.asked.emit(verb, what.strip("/"))
        elif url.scheme() in ("http", "https", "mailto"):
            QDesktopServices.openUrl(url)
        elif self.file is not None:
            file = (self.file.parent / url.path()).resolve() if url.path() else self.file
            if file.is_file():
                self.go(file, url.fragment())

    def _here(self) -> tuple[Path, int, int]:
        """Return the page, the block at its upper edge, and the number of pixels of it above the edge."""
        assert self.file is not None
        block = self.cursorForPosition(QPoint(MARGIN, 2)).block()
        top = self.document().documentLayout().blockBoundingRect(block).top()
        return self.file, block.blockNumber(), round(self.verticalScrollBar().value() - top)

    def _turn(self, source: list[tuple[Path, int, int]], target: list[tuple[Path, int, int]]) -> None:
        if source and self.file is not None:
            target.append(self._here())
            file, number, above = source.pop()
            self.highlight(())
            self._show(file)
            self._scroll(self.document().findBlockByNumber(number), above)
            self.moved.emit()

    def _scroll(self, block: QTextBlock, above: int) -> None:
        layout = self.document().documentLayout()
        layout.documentSize()  # lays out the whole page
        self.verticalScrollBar().setValue(round(layout.blockBoundingRect(block).top()) + above)

    def _show(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8", errors="replace")
        self.file = file
        document = self.document()
        document.setBaseUrl(QUrl.fromLocalFile(str(file)))
        if file.suffix == ".md":
            words = for_theme(with_offers(file.stem, text), self.theme.dark)
            document.setMarkdown(words, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        else:
            document.setMarkdown(f"# {file.name}\n\n```\n{text}\n```\n")
        self._dress()
        self._fit(force=True)
        self.verticalScrollBar().setValue(0)

    def _to(self, anchor: str) -> None:
        """Scroll a section to the top."""
        block = self.heading(anchor) if anchor else None
        if block is not None:
            self.setTextCursor(QTextCursor(block))
            self._scroll(block, -4)

    def _mark(self, word: str) -> None:
        """Select a word where it is explained below the cursor, and scroll to it and its section."""
        if not word:
            return
        found = self.document().find(word, self.textCursor(), QTextDocument.FindFlag.FindCaseSensitively)
        while not found.isNull() and found.currentTable() is None:  # the text before the table may also contain it
            found = self.document().find(word, found, QTextDocument.FindFlag.FindCaseSensitively)
        if not found.isNull():
            self.setTextCursor(found)
            bar, high = self.verticalScrollBar(), self.viewport().height()
            bar.setValue(bar.value() + self.cursorRect(found).top() - high // 4)

    def heading(self, anchor: str) -> QTextBlock | None:
        """Return the heading with the given anchor, or the entry of the glossary on the term with it."""
        block = self.document().begin()
        while block.isValid():
            if slug(self._begins(block)) == anchor:
                return block
            block = block.next()
        return None

    def _begins(self, block: QTextBlock) -> str:
        """Return the heading or the term of the glossary that begins with a block, or ""."""
        if block.blockFormat().headingLevel():
            return block.text()
        glossary = self.file is not None and self.file.stem == GLOSSARY
        return block.text().partition(":")[0] if glossary and block.textList() is not None else ""

    def highlight(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Highlight every word that begins with one of the given (folded) words; return their places."""
        self._found = words
        look, selections = QTextCharFormat(), []
        look.setBackground(self.theme.color("accent.found"))
        look.setForeground(self.theme.color("text.primary"))
        places = matches(self.toPlainText(), words) if words else []
        for start, end in places:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(self.document())
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)
        return places

    # ------------------------------------------------------------------ looks

    def set_theme(self, theme: Theme) -> None:
        if self.file is not None:
            _file, number, above = self._here()
            self._show(self.file)
            self._scroll(self.document().findBlockByNumber(number), above)
            self.highlight(self._found)

    def _dress(self) -> None:
        """Set the type, spacing and colours of headings, text, code, links and tables."""
        theme, document = self.theme, self.document()
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(theme.font("body"))
        block = document.begin()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        while block.isValid():
            self._dress_block(block)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._dress_table(frame)
        cursor.endEditBlock()

    def _dress_block(self, block: QTextBlock) -> None:
        theme, look, ink = self.theme, QTextBlockFormat(), QTextCharFormat()
        level = block.blockFormat().headingLevel()
        code = _is_code(block)
        table = QTextCursor(block).currentTable() is not None
        if level:
            look.setTopMargin(0 if level == 1 else 18)
            look.setBottomMargin(6)
            ink.setFont(theme.font(_ROLES.get(level, "title"), semibold=True))
            ink.setForeground(theme.color("text.primary"))
        elif code:
            look.setBackground(theme.color("surface.panelAlt"))
            look.setLeftMargin(8)
            look.setTopMargin(0 if _is_code(block.previous()) else 4)
            look.setBottomMargin(0 if _is_code(block.next()) else 12)
            look.setNonBreakableLines(False)
            ink.setFont(theme.font("small", mono=True))
        elif any(old.isImageFormat() for _start, _length, old in _pieces(block)):
            look.setBottomMargin(9)
        elif not table:
            look.setLineHeight(128, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            items = block.textList()
            look.setBottomMargin(4 if items is not None else 9)
            if items is not None and items.format().style() == QTextListFormat.Style.ListCircle:
                dots = items.format()
                dots.setStyle(QTextListFormat.Style.ListDisc)
                items.setFormat(dots)
        cursor = QTextCursor(block)
        cursor.mergeBlockFormat(look)
        if level or code:
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(ink)
        for start, length, old in _pieces(block):
            piece = QTextCursor(block)
            piece.setPosition(start)
            piece.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            if old.isAnchor():
                link = QTextCharFormat()
                link.setForeground(theme.color("text.link"))
                link.setFontUnderline(True)
                if old.anchorHref().startswith("lydian:try/"):  # looks like the button that it represents
                    link.setBackground(theme.color("accent.soft"))
                    link.setFontUnderline(False)
                    link.setFontWeight(QFont.Weight.DemiBold)
                piece.mergeCharFormat(link)
            elif old.fontFixedPitch() and not code:
                inline = QTextCharFormat()
                inline.setFont(theme.font("small", mono=True), QTextCharFormat.FontPropertiesInheritanceBehavior(0))
                inline.setBackground(theme.color("surface.panelAlt"))
                piece.mergeCharFormat(inline)

    def _dress_table(self, table: QTextTable) -> None:
        theme = self.theme
        look = table.format()
        look.setBorder(1)
        look.setBorderCollapse(True)
        look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        look.setBorderBrush(theme.color("border.subtle"))
        look.setCellPadding(5)
        look.setCellSpacing(0)
        look.setTopMargin(4)
        look.setBottomMargin(10)
        look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        table.setFormat(look)
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            head = cell.format()
            head.setBackground(theme.color("surface.header"))
            head.setFontWeight(QFont.Weight.DemiBold)
            cell.setFormat(head)

    # ------------------------------------------------------------------ pictures

    def resizeEvent(self, event: QResizeEvent) -> None:
        begun = self.verticalScrollBar().value() > 0  # at the beginning, the page stays there
        here = self._here() if self.file is not None and begun else None
        super().resizeEvent(event)
        self._fit()
        if here is not None and event.size().width() != event.oldSize().width():
            self._scroll(self.document().findBlockByNumber(here[1]), here[2])

    def _fit(self, *, force: bool = False) -> None:
        """Fit every picture to the width of the page, without enlarging it."""
        wide = self.viewport().width() - 2 * MARGIN
        if (wide == self._wide and not force) or self.file is None:
            return
        self._wide = wide
        block = self.document().begin()
        while block.isValid():
            for start, length, old in _pieces(block):
                if old.isImageFormat():
                    image = QTextImageFormat(old.toImageFormat())
                    natural = self._picture(image.name()).size()
                    width = max(40, min(wide, natural.width()))
                    image.setWidth(width)
                    image.setHeight(round(natural.height() * width / max(1, natural.width())))
                    self._put(image.name(), width)
                    cursor = QTextCursor(block)
                    cursor.setPosition(start)
                    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
                    cursor.setCharFormat(image)
            block = block.next()

    def _put(self, name: str, width: int) -> None:
        """Show a picture in the page at the given width, smoothly reduced for this screen."""
        image, pixels = self._picture(name), round(width * self.devicePixelRatioF())
        if pixels < image.width():
            image = image.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
        where = self.document().baseUrl().resolved(QUrl(name))
        self.document().addResource(QTextDocument.ResourceType.ImageResource.value, where, image)

    def _picture(self, name: str) -> QImage:
        """Return a picture of the guide, or an empty one if there is none."""
        if name not in self._pictures:
            base = self.file.parent if self.file is not None else guide()
            path = Path(QUrl(name).toLocalFile() or name)
            found = QImage(str(path if path.is_absolute() else base / path))
            self._pictures[name] = found if not found.isNull() else QImage(QSize(1, 1), QImage.Format.Format_ARGB32)
        return self._pictures[name]


def _pieces(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    """Return the start, length and format of the parts of a block that look the same."""
    found, parts = [], block.begin()
    while not parts.atEnd():
        piece = parts.fragment()
        found.append((piece.position(), piece.length(), piece.charFormat()))
        parts += 1
    return found


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _words(url: QUrl) -> str:
    """Return the tooltip of a link."""
    verb, _slash, what = url.path().strip("/").replace(" ", "/").partition("/")
    if url.scheme() == "lydian":
        own = tr("{file} opens in the editor as your own protocol", file=what.rpartition("/")[2])
        known = {
            "run": tr("Run {experiment} here", experiment=what),
            "open": tr("Open {file}", file=what),
            "view": tr("Show this view"),
            "try": own,
        }
        return known.get(verb, tr("Give this command"))
    return url.toString() if url.scheme() else ""

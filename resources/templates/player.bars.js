// ------------------------------------------------------------------ histograms

scripts.bars = class extends Panel {
  constructor(parts) { super(parts.map((chart) => ({ ...chart, bars: chart.bars.map(unpacked) }))); }
  /** One bar for each number: how often it occurs. */
  panel(c, box, { title, axis, word, slot, low, step, single, most, bars }) {
    const { told } = panels, numbers = panels.levels(0, most, box).filter(Number.isInteger), gutter = Math.max(...numbers.map((v) => wide(c, told(v)))) + 20;
    const plot = { x: box.x + gutter, y: box.y + 32, h: box.h - 56 }, end = box.x + box.w - 14, each = Math.min((end - plot.x) / Math.max(bars.length, 1), 44);
    const at = ({ at: seqs, counts }) => { const last = firstAfter(seqs, now.k - 1) - 1; return last < 0 ? 0 : counts[last]; };
    const heights = bars.map(at), total = heights.reduce((sum, v) => sum + v, 0), foot = plot.y + plot.h, look = stateLook(slot);
    text(c, elided(c, title || axis, box.w - 26, SMALL, 600), box.x + 12, box.y + 15, theme.text.primary, { weight: 600 });
    const mean = single && total > 0 ? tr(", mean {value}", { value: told(heights.reduce((sum, v, i) => sum + v * (low + i * step), 0) / total) }) : "", words = `${told(total)} ${axis || tr("values")}${mean}`;
    if (wide(c, title || axis, SMALL, 600) + wide(c, words) + 42 < box.w) text(c, words, end, box.y + 15, theme.text.secondary, { align: "right" });
    for (const v of numbers) { const y = foot - (plot.h * v) / most; pen(c, theme.surface.grid, 1); line(c, plot.x, y, end, y); text(c, told(v), plot.x - 6, y, theme.text.secondary, { align: "right" }); }
    const gap = clamp(each * 0.14, 0.5, 4), texts = bars.map((_, i) => told(low + i * step)), widest = Math.max(0, ...texts.map((one) => wide(c, one)));
    const stride = Math.max(1, Math.ceil((widest + 8) / each)), free = end - (word ? wide(c, word) + 8 : 0);
    heights.forEach((v, i) => {
      const tall = plot.h * clamp(v / most, 0, 1), x = plot.x + i * each, middle = x + (single ? each / 2 : 0);
      if (tall > 0) { c.fillStyle = look.fill; c.fillRect(x + gap, foot - tall, each - 2 * gap, tall); if (each >= 6) { pen(c, look.outline, 1); c.strokeRect(x + gap, foot - tall, each - 2 * gap, tall); } }
      if (i % stride === 0 && middle + widest / 2 <= free) text(c, texts[i], middle, foot + 12, theme.text.secondary, { align: "center" });
    });
    pen(c, theme.border.control, 1); line(c, plot.x, foot, end, foot);
    if (word) text(c, word, end, foot + 12, theme.text.hint, { align: "right" });
    if (!bars.length) text(c, tr("nothing so far"), box.x + box.w / 2, plot.y + plot.h / 2, theme.text.hint, { align: "center" });
  }
};

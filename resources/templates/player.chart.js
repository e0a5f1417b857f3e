// ------------------------------------------------------------------ charts: lines over time

scripts.chart = class extends Panel {
  constructor(parts) { super(parts.map((chart) => ({ ...chart, lines: chart.lines.map(unpacked) }))); }
  /** The chart: the future is pale, and a red line marks the moment. */
  panel(c, box, chart) {
    const { low, high } = chart, share = (v) => clamp((v - low) / (high - low), 0, 1);
    const { told } = panels, numbers = panels.levels(low, high, box), gutter = Math.max(...numbers.map((v) => wide(c, told(v)))) + 20;
    const plot = { x: box.x + gutter, y: box.y + 32, w: box.w - gutter - 14, h: box.h - 56 }, atX = (time) => plot.x + plot.w * clamp(END > 0 ? time / END : 0, 0, 1), atY = (v) => plot.y + plot.h * (1 - share(v));
    const value = ({ times, values }) => values[Math.max(firstAfter(times, t) - 1, 0)];
    text(c, chart.title || chart.axis, box.x + 12, box.y + 15, theme.text.primary, { weight: 600 });
    for (const v of numbers) { pen(c, theme.surface.grid, 1); line(c, plot.x, atY(v), plot.x + plot.w, atY(v)); text(c, told(v), plot.x - 6, atY(v), theme.text.secondary, { align: "right" }); }
    pen(c, theme.border.control, 1); line(c, plot.x, plot.y + plot.h, plot.x + plot.w, plot.y + plot.h);
    text(c, "0", plot.x, plot.y + plot.h + 12, theme.text.secondary, { align: "center" });
    text(c, tr("time {time}", { time: told(Number(END.toPrecision(3))) }), plot.x + plot.w, plot.y + plot.h + 12, theme.text.secondary, { align: "right" });
    for (const time of chart.faults) {
      const x = atX(time), y = plot.y + plot.h - 1;
      c.beginPath(); c.moveTo(x, y); c.lineTo(x - 3.5, y - 7); c.lineTo(x + 3.5, y - 7); c.closePath(); c.fillStyle = theme.fault.base; c.fill();
    }
    for (const time of chart.bounds) if (time <= END) { pen(c, theme.text.secondary, 1.2, [4, 3]); line(c, atX(time), plot.y - 3, atX(time), plot.y + plot.h); }
    const draw = (from, to, alpha) => {
      c.save(); c.globalAlpha = alpha; c.beginPath(); c.rect(from, plot.y - 4, to - from, plot.h + 8); c.clip();
      chart.lines.forEach(({ times, values }, i) => {
        pen(c, messageLook(i).color, 1.8, dashOf(i)); c.beginPath();
        for (let k = 0; k < times.length; k++) if (isFinite(values[k])) {
          const x = atX(times[k]), y = atY(values[k]);
          if (k && isFinite(values[k - 1])) c.lineTo(x, y); else c.moveTo(x, y);
          c.lineTo(k + 1 < times.length ? atX(times[k + 1]) : plot.x + plot.w, y);
        }
        c.stroke();
      });
      c.restore();
    };
    draw(plot.x - 2, atX(t), 1); draw(atX(t), plot.x + plot.w + 2, 0.3);
    let right = box.x + box.w - 14;
    [...chart.lines.entries()].reverse().forEach(([i, curve]) => {
      const words = `${curve.word} ${told(value(curve))}`.trim(), left = right - wide(c, words) - 26;
      if (left < box.x + 24 + wide(c, chart.title || chart.axis, SMALL, 600)) return;
      pen(c, messageLook(i).color, 2, dashOf(i)); line(c, left, box.y + 15, left + 20, box.y + 15);
      text(c, words, left + 26, box.y + 15, theme.text.secondary); right = left - 16;
    });
    pen(c, theme.playhead, 1.4); line(c, atX(t), plot.y - 3, atX(t), plot.y + plot.h + 3);
    chart.lines.forEach((curve, i) => { if (isFinite(value(curve))) disc(c, atX(t), atY(value(curve)), 3.2, messageLook(i).color); });
  }
};

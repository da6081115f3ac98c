# SPDX-License-Identifier: MIT
"""Bar charts as SVG."""

COLOURS = ["#9aa5b1", "#7b8794", "#b8a15a", "#c98b3f", "#b5643c", "#8b5a8c", "#4a7fb5", "#2f9e5f", "#8fd3a8"]
HEIGHT, LEFT, TOP, BAR, GAP = 220, 50, 40, 16, 30


def write_bars(path, title, names, groups):
    """A bar for each name in each group: (label, {name: value}). Values above 4 are cut, with their number at the top."""
    width = LEFT + len(groups) * (len(names) * BAR + GAP) + 150
    most = max([1.5] + [min(values[name], 4.0) for _, values in groups for name in names])
    scale = HEIGHT / most
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + 40}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="#fff"/>', f'<text x="10" y="20" font-size="13">{title}</text>']
    for tick in [x / 2 for x in range(int(most * 2) + 1)]:
        y = TOP + HEIGHT - tick * scale
        lines.append(f'<path d="M{LEFT} {y:.1f}H{width - 140}" stroke="#ccc"/><text x="{LEFT - 28}" y="{y + 4:.1f}">{tick}</text>')
    for g, (label, values) in enumerate(groups):
        x = LEFT + GAP / 2 + g * (len(names) * BAR + GAP)
        lines.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}">{label}</text>')
        for i, name in enumerate(names):
            height = min(values[name], most) * scale
            top = TOP + HEIGHT - height
            lines.append(f'<rect x="{x + i * BAR:.1f}" y="{top:.1f}" width="{BAR - 2}" height="{height:.1f}" fill="{COLOURS[i % len(COLOURS)]}">'
                         f'<title>{name}: {values[name]:.3f}</title></rect>')
            lines.append(f'<text x="{x + i * BAR - 1:.1f}" y="{top - 3:.1f}" font-size="8">{values[name]:.2f}</text>')
    for i, name in enumerate(names):
        y = TOP + 16 * i
        lines.append(f'<rect x="{width - 130}" y="{y}" width="11" height="11" fill="{COLOURS[i % len(COLOURS)]}"/>'
                     f'<text x="{width - 113}" y="{y + 10}">{name}</text>')
    path.write_text("\n".join(lines) + "\n</svg>\n")

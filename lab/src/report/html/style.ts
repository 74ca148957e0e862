import { TONES } from './tone.js';

const variables = (of: 'light' | 'dark') =>
  Object.entries(TONES)
    .map(([name, tone]) => `--${name}:${tone[of]};`)
    .join('');

const LIGHT = `--paper:#fff;--ink:#1b1f24;--soft:#5a626c;--rule:#d5d9de;--ground:#f4f6f8;--bad:#b3261e;--good:#1a7f37;${variables('light')}`;
const DARK = `--paper:#14171b;--ink:#e6e9ed;--soft:#a2abb6;--rule:#353c45;--ground:#1d2127;--bad:#ff8a80;--good:#56d364;${variables('dark')}`;

const TONE_RULES = Object.keys(TONES)
  .map((name) => `.line.${name}{stroke:var(--${name})}.area.${name},.bar.${name}{fill:var(--${name})}`)
  .join('');

/** The page's only style sheet: light and dark by the reader's setting, and A4 on paper, always light there. */
export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{font-size:16px}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:78rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.3rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;line-height:1.3;margin:0 0 .25rem}
h4{font-size:.95rem;margin:1rem 0 .25rem}
p{margin:.25rem 0 .75rem;max-width:68ch}
ul{margin:.25rem 0 .75rem;padding-left:1.25rem}
li{margin:.15rem 0}
a{color:var(--blue)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--ground);padding:.05em .3em;border-radius:3px;overflow-wrap:anywhere}
.meta,.note{color:var(--soft);font-size:.9rem}
.meta{margin:0 0 .5rem}
.caveat{border-left:4px solid var(--bad);background:var(--ground);padding:.6rem .9rem;font-weight:600}
.finding{border-left:4px solid var(--blue);background:var(--ground);padding:.75rem 1rem;margin:0 0 1rem;break-inside:avoid}
.finding.second{border-left-color:var(--rule)}
.finding h3{font-size:1.15rem}
.finding .next{margin-bottom:0}
.tag{display:inline-block;font-size:.8rem;font-weight:400;color:var(--soft);border:1px solid var(--rule);border-radius:1em;padding:0 .6em;margin-left:.4em;vertical-align:middle}
.key{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1rem 0;padding:0;list-style:none}
.key li{border:1px solid var(--rule);border-radius:6px;padding:.5rem .75rem;margin:0}
.key b{display:block;font-size:1.35rem;line-height:1.3}
.key span{display:block;font-size:.82rem;color:var(--soft)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:1.5rem 2rem;align-items:start}
figure{margin:0;min-width:0;break-inside:avoid}
figure.wide{grid-column:1/-1}
figure.halves .pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:.5rem 2rem}
.pictures>svg+svg{margin-top:.6rem}
figure.halves .pictures>svg+svg{margin-top:0}
figcaption p{font-size:.9rem;margin:.1rem 0 .4rem;color:var(--soft)}
.number{display:inline-block;min-width:1.5em;text-align:center;border-radius:1em;background:var(--ink);color:var(--paper);font-size:.85em}
svg{display:block;width:100%;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow:visible}
svg text{fill:var(--ink)}
svg .middle{text-anchor:middle}
svg .end{text-anchor:end}
svg .unit{fill:var(--soft)}
.grid{stroke:var(--rule);fill:none}
.axis,.tick{stroke:var(--soft);fill:none}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}
.line.strong{stroke-width:2.6}
.line.faint,.line.thin{stroke-width:.9;opacity:.75}
.area{opacity:.22}
.mark{stroke:var(--ink);stroke-width:1.2;stroke-dasharray:1 3;fill:none}
svg .mark-label{font-weight:600}
.span{stroke-width:1}
.span.request{fill:var(--grey)}
.span.call{fill:var(--blue)}
.span.refused{fill:var(--orange)}
.span.wait{stroke:var(--orange)}
.wait-ground{fill:var(--paper)}
.wait-stroke{stroke:var(--orange);stroke-width:3}
${TONE_RULES}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;margin:.3rem 0;padding:0;list-style:none;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:.4rem;margin:0}
.swatch{width:28px;height:12px;flex:none}
.missing{border:1px dashed var(--rule);border-radius:6px;padding:.75rem 1rem;max-width:none}
details{font-size:.85rem;margin:.3rem 0}
summary{cursor:pointer;color:var(--soft)}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.88rem;margin:.25rem 0 .75rem}
th,td{padding:.22rem .7rem .22rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
thead th{color:var(--soft);font-weight:600}
tbody th{font-weight:400;white-space:nowrap}
th code{white-space:nowrap;background:none;padding:0}
td.right,th.right,.data td,.data th{text-align:right;font-variant-numeric:tabular-nums}
.data th:first-child{text-align:left}
td.right,th.right{white-space:nowrap}
.met{color:var(--good)}
.missed{color:var(--bad);font-weight:600}
footer{margin-top:3rem;font-size:.85rem;color:var(--soft)}
@page{size:A4;margin:14mm 13mm}
@media print{
:root{color-scheme:light;${LIGHT}}
html{font-size:9.5pt}
body{font-size:1rem;line-height:1.4}
main{max-width:none;padding:0}
h1{font-size:17pt}
h2{font-size:12.5pt;margin:14pt 0 5pt;padding-top:6pt;break-after:avoid}
h3{break-after:avoid}
p{max-width:none}
.charts{display:block}
figure{margin:0 0 11pt}
figure:not(.whole) svg:not(.swatch){max-width:132mm}
figure.halves .pictures{display:block}
details{display:none}
.scroll{overflow:visible}
table{font-size:8pt}
tr{break-inside:avoid}
thead{display:table-header-group}
a{color:inherit;text-decoration:none}
.finding,.key li,.bar,.span,.area,.number,.swatch{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

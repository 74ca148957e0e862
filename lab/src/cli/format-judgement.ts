import { wrap } from '../report/layout.js';
import type { Judgement } from '../workshop/index.js';
import type { PaintStyle, Terminal } from './terminal.js';

/** Part by part, and what to do next once everything is right. */
export function formatJudgement(judgement: Judgement, terminal: Terminal): string {
  const { bottleneck, evidence, fix, right, afterwards } = judgement;
  const part = (title: string, { ok, reply }: { ok: boolean | null; reply: string }) => {
    const [style, mark]: [PaintStyle, string] =
      ok === true ? ['green', 'right'] : ok === false ? ['yellow', 'no'] : ['dim', '-'];
    const lead = `${title.padEnd(11)} ${mark.padEnd(5)}  `;
    const [first = '', ...rest] = wrap({ lead, text: reply, width: Math.min(terminal.width, 100) });
    return [first.replace(mark, terminal.paintResult(style, mark)), ...rest];
  };
  return [
    ...part('bottleneck', bottleneck),
    ...evidence.flatMap((one) => part('evidence', one)),
    ...part('fix', fix),
    '',
    ...(right && afterwards !== null
      ? wrap({ lead: '-> ', text: afterwards, width: Math.min(terminal.width, 100) })
      : ['Not yet. Look again, and answer again.']),
  ].join('\n');
}

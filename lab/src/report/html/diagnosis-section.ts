import type { ResultFinding, RunResult } from '../../results/result-schema.js';
import { sealedNote } from '../key-figures.js';
import { html, type Markup } from './markup.js';
import { reportTable } from './page.js';

/** What held the run back: findings with evidence and the next experiment, then how every rule came out. */
export function diagnosisSection(result: RunResult): Markup {
  if (result.sealed) {
    return html`<section id="diagnosis"><h2>Diagnosis</h2>
<p>${sealedNote(result)}</p>
</section>`;
  }
  const { findings, rules } = result.diagnosis;
  return html`<section id="diagnosis"><h2>Diagnosis</h2>
${findings.map((finding, at) => findingCard(finding, at === 0 ? 'Bottleneck' : leadOf(finding)))}
<h3>Every rule, and how it came out</h3>
${reportTable({
  title: '',
  lead: '',
  header: ['rule', 'outcome', 'because'],
  rows: rules.map((one) => {
    if (one.outcome === 'found')
      return [one.rule, 'found', one.findings.map((finding) => finding.title).join(', ')];
    if (one.outcome === 'not-found') return [one.rule, 'not found', one.because];
    return [one.rule, 'lacks data', one.missing];
  }),
  right: [],
  codeNames: false,
})}
</section>`;
}

const leadOf = ({ confidence }: ResultFinding) => (confidence === 'low' ? 'Perhaps' : 'Also');

/** One finding with everything it rests on. */
export function findingCard(finding: ResultFinding, lead: string): Markup {
  const { title, confidence, evidence, next } = finding;
  return html`<div class="finding${lead === 'Also' || lead === 'Perhaps' ? ' second' : ''}"><h3>${lead}: ${title}<span class="tag">confidence ${confidence}</span></h3>
<ul>${evidence.map(evidenceLine)}</ul>
<p class="next"><strong>Next:</strong></p>
<ul class="next">${next.map(({ text, knob }) => html`<li>${text}${knob === null ? null : html` <span class="note">Knob: <code>${knob}</code></span>`}</li>`)}</ul>
</div>
`;
}

function evidenceLine({ text, measures, rows, query }: ResultFinding['evidence'][number]): Markup {
  const sources = [
    ...measures.map((name) => html`<code>${name}</code>`),
    ...(rows === '' ? [] : [html`${rows}`]),
    ...(query === null ? [] : [html`query <code>${query}</code>`]),
  ];
  return html`<li>${text.charAt(0).toUpperCase()}${text.slice(1)}.${sources.length === 0 ? null : html` <span class="note">${sources.map((source, at) => [at === 0 ? '' : '; ', source])}</span>`}</li>`;
}

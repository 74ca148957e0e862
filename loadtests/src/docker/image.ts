/** The image and version that the lab is tested with; K6_IMAGE or `docker=IMAGE` names another, such as a mirror's. */
export const DEFAULT_K6_IMAGE = 'grafana/k6:2.2.0';

/** The image of `docker=IMAGE`, else of K6_IMAGE, else the usual one. */
export function k6Image(engine: string, env: NodeJS.ProcessEnv = process.env): string {
  const given = /^docker=(.+)$/s.exec(engine)?.[1] ?? env.K6_IMAGE ?? '';
  return given === '' ? DEFAULT_K6_IMAGE : given;
}

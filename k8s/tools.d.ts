/** The command of a deployment tool: the installed one, else the one on PATH; null without. */
export function findTool(name: string): string | null;

/** A file that `.ci/deploy-tools.sh` fetched; null without. */
export function findToolFile(name: string): string | null;

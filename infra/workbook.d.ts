/** The text of infra/workbook.json. */
export function workbookText(): string;

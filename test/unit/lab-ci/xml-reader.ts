export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NAME = '[A-Za-z_][\\w.:-]*';
const TOKEN = new RegExp(`<\\?xml[^?]*\\?>|<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>|([^<]+)`, 'y');

/** Reads a document without DTD, comments and CDATA; throws where it is not well-formed XML 1.0. */
export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`not well-formed at ${at}: ${text.slice(at, at + 40)}`);
    const [, closing, name, attributes = '', single, content] = match;
    const top = open.at(-1) as XmlElement;
    if (content !== undefined) top.text += decoded(content);
    else if (name === undefined) continue;
    else if (closing === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element at ${at}`);
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      top.children.push(element);
      if (single !== '/') open.push(element);
    }
  }
  const [document] = root.children;
  if (open.length !== 1 || document === undefined || root.children.length !== 1) {
    throw new Error('an element is open, or there is not exactly one root');
  }
  return document;
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(new RegExp(`(${NAME})="([^"]*)"`, 'g'))) {
    if (name in found) throw new Error(`the attribute ${name} is given twice`);
    found[name] = decoded(value);
  }
  return found;
}

function decoded(text: string): string {
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const allowed =
      code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || code >= 0xe000;
    if (!allowed || code === 0xfffe || code === 0xffff) throw new Error(`XML 1.0 has no character ${code}`);
  }
  return text.replace(/&([^;]*);?/g, (reference, name: string) => {
    const number = /^#(\d+)$/.exec(name)?.[1];
    const value = number === undefined ? ENTITIES[name] : String.fromCodePoint(Number(number));
    if (value === undefined || !reference.endsWith(';')) throw new Error(`unknown reference ${reference}`);
    return value;
  });
}

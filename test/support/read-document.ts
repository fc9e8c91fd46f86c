const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** The raw text of all elements with this name, each up to its first end tag, as in a browser. */
export function readElementContents(document: string, name: 'title' | 'style' | 'script', attribute = ''): string[] {
  const pattern = new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}[\\s>]`, 'gi');
  return [...document.matchAll(pattern)]
    .filter(([element]) => element.slice(0, element.indexOf('>') + 1).includes(attribute))
    .map(([, content = '']) => content);
}

/** The content of the meta elements with this name or property. */
export function readMetaContents(document: string, name: string): string[] {
  return [...document.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)">/g)]
    .filter(([, metaName]) => metaName === name)
    .map(([, , content = '']) => unescapeHtml(content));
}

/** Unescapes HTML text. */
export function unescapeHtml(text: string): string {
  return text.replace(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** The body without scripts and styles. */
export function readBody(document: string): string {
  const body = document.slice(document.indexOf('<body'));
  return body.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<!--[\s\S]*?-->/g, '');
}

/** The visible text of HTML without whitespace, because whitespace at tags is ambiguous. */
export function readCompactText(markup: string): string {
  return unescapeHtml(markup.replace(/<[^>]*>/g, '')).replace(/\s+/g, '');
}

/** The values of an attribute in all elements with this name. */
export function readAttributes(document: string, name: string, attribute: string): string[] {
  const elements = document.match(new RegExp(`<${name}\\s[^>]*>`, 'g')) ?? [];
  return elements.flatMap((element) => {
    const value = new RegExp(`\\s${attribute}="([^"]*)"`).exec(element)?.[1];
    return value === undefined ? [] : [unescapeHtml(value)];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** What stands in the elements of a name, as a browser reads it: raw text ends at the first end tag, whatever comes before. */
export function contentsOf(document: string, name: 'title' | 'style' | 'script', attribute = ''): string[] {
  const pattern = new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}[\\s>]`, 'gi');
  return [...document.matchAll(pattern)]
    .filter(([element]) => element.slice(0, element.indexOf('>') + 1).includes(attribute))
    .map(([, content = '']) => content);
}

/** What the meta elements of a name, or of a property, say. */
export function metaOf(document: string, name: string): string[] {
  return [...document.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)">/g)]
    .filter(([, found]) => found === name)
    .map(([, , content = '']) => unescaped(content));
}

/** The words that an escaped text of a document shows. */
export function unescaped(text: string): string {
  return text.replace(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** The body of a document without its scripts and styles: what is left of it where scripts are switched off. */
export function bodyOf(document: string): string {
  const body = document.slice(document.indexOf('<body'));
  return body.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<!--[\s\S]*?-->/g, '');
}

/** What a person reads of HTML, without the blanks: tags stand where none are, and some stand between two words. */
export function lettersOf(markup: string): string {
  return unescaped(markup.replace(/<[^>]*>/g, '')).replace(/\s+/g, '');
}

/** The values of an attribute of the elements of a name, in their order. */
export function attributesOf(document: string, name: string, attribute: string): string[] {
  const elements = document.match(new RegExp(`<${name}\\s[^>]*>`, 'g')) ?? [];
  return elements.flatMap((element) => {
    const value = new RegExp(`\\s${attribute}="([^"]*)"`).exec(element)?.[1];
    return value === undefined ? [] : [unescaped(value)];
  });
}

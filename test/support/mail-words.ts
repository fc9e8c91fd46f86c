/** What a person reads in the HTML part of a mail, with the addresses that its links lead to left out. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(style|title)>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

/** Where the links of the HTML part of a mail lead. */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}

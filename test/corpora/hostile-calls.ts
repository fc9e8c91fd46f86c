import type { CallName } from '#contract/calls.ts';
import { TAG_MAXIMUM } from '#domain/org.ts';
import { NAME_MAXIMUM, STORY_MAXIMUM } from '#domain/profile.ts';
import { TEXT_MAXIMUM } from '#domain/texts.ts';
import type { HostileSite } from './hostile-site.ts';

/** A call that takes texts, and the pages on which visitors or editors then meet them. A new one is a new row here. */
export type HostileCall = {
  readonly call: CallName;
  /** The most characters of one text, and what stands between lines of the list in it. */
  readonly most: number;
  readonly between: string;
  /** How many texts are planted before the pages are opened. */
  readonly atOnce: number;
  /** Sends a text, at one of the places that a batch has. @returns the status of the answer */
  readonly send: (site: HostileSite, text: string, place: number) => Promise<number>;
  /** Opened once a batch is planted. */
  readonly shownAt: readonly string[];
  /** Where one text alone is shown at a time: each page is read as the browser reads it, and every so many is opened. */
  readonly openEach?: number;
};

const ORG = '/orgs/sample';
const INSTALLERS = 10;
/** A story and a name that are fine, beside the other one that is not. */
const STORY = 'A story of more than twenty-six characters.';

async function saveText(site: HostileSite, cell: string, markdown: string): Promise<number> {
  const path = `${ORG}/cells/${cell}`;
  const { markdown: basedOn } = await site.read<{ markdown: string }>(path);
  return site.send('PUT', path, { markdown, basedOn });
}

function editInstaller(site: HostileSite, place: number, fields: { name: string; story: string }): Promise<number> {
  const id = site.installers[place % INSTALLERS] ?? '';
  return site.sendForm('PUT', `${ORG}/installers/${id}`, fields);
}

export const HOSTILE_CALLS: readonly HostileCall[] = [
  {
    call: 'saveCell',
    most: TEXT_MAXIMUM - 5000,
    between: '\n\n',
    atOnce: 1,
    send: (site, text) => saveText(site, 'faq/questions', text),
    shownAt: [`${ORG}/faqs`],
  },
  {
    call: 'previewCell',
    most: TEXT_MAXIMUM - 5000,
    between: '\n',
    atOnce: 1,
    send: (site, markdown) => site.send('POST', `${ORG}/cells/offsetters/intro/preview`, { markdown }),
    shownAt: [],
  },
  {
    call: 'editInstaller',
    most: STORY_MAXIMUM,
    between: '\n',
    atOnce: INSTALLERS,
    send: (site, story, place) => editInstaller(site, place, { name: 'Installer', story }),
    shownAt: [`${ORG}/installers`, `${ORG}/installers/{installer}/`],
  },
  {
    call: 'editInstaller',
    most: NAME_MAXIMUM,
    between: ' ',
    atOnce: INSTALLERS,
    send: (site, name, place) => editInstaller(site, place, { name, story: STORY }),
    shownAt: [`${ORG}/installers`],
  },
  {
    call: 'editOffsetter',
    most: STORY_MAXIMUM,
    between: '\n',
    atOnce: 1,
    send: (site, story) => site.sendForm('PUT', `${ORG}/offsetters/maya-torres`, { name: 'Maya', story }),
    shownAt: [`${ORG}/offsetters/maya-torres/`],
  },
  {
    call: 'editOrg',
    most: TAG_MAXIMUM,
    between: ' ',
    atOnce: 1,
    send: (site, tag) => site.send('PATCH', ORG, { tag, name: tag.slice(0, NAME_MAXIMUM) }),
    shownAt: [ORG],
    openEach: 50,
  },
  {
    call: 'pledgeCheck',
    most: NAME_MAXIMUM,
    between: ' ',
    atOnce: 25,
    send: (site, name) => site.send('POST', `${ORG}/pledges`, { name, email: 'giver@example.org', amount: 25 }),
    shownAt: [],
  },
];

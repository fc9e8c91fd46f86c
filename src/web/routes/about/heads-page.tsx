import { callPath } from '#contract/calls.ts';
import type { HeadDays } from '#contract/schemas/receipts.ts';
import { VERIFIER_PATH } from '#contract/verifier.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars, formatPounds, formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import type { OrgFrame } from '#web/site/page.ts';
import { Fact, Facts } from '#web/ui/list-parts.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './heads.module.css';

/** The days that an organization signed, with what a proof is compared with (docs/proof.md). */
export function HeadsPage({ org, heads }: OrgFrame & { readonly heads: HeadDays }) {
  const { days, money, restores } = heads;
  return (
    <Page narrow>
      <DocumentTitle parts={[m.headHeads(), org.name]} />
      <div className={styles.heads}>
        <PageTitle>{m.headHeads()}</PageTitle>
        <p>{m.headsIntro({ name: org.name })}</p>
        <p>{m.headsLead()}</p>
        {restores.map(({ on, backupOf }) => (
          <p key={`${on} ${backupOf}`} className={styles.restored}>
            {m.headsRestored({ day: dayText(on), backup: dayText(backupOf) })}
          </p>
        ))}
        {days.length === 0 ? <p>{m.headsNone()}</p> : <Signed orgId={org.id} heads={heads} />}
        {days.length > 0 && money === 'test' && <p>{m.giftProofTestMoney()}</p>}
      </div>
    </Page>
  );
}

function Signed({ orgId, heads: { days, keys, files } }: { readonly orgId: string; readonly heads: HeadDays }) {
  const file = callPath('readHeads', { orgid: orgId });
  return (
    <>
      <h2 id="days">{m.headsDays()}</h2>
      <table aria-labelledby="days">
        <thead>
          <tr>
            <th scope="col">{m.headsEntries()}</th>
            <th scope="col">{m.headsCameIn()}</th>
            <th scope="col">{m.headsWentBack()}</th>
          </tr>
        </thead>
        {days.map(({ day, entries, dollarsIn, dollarsOut, poundsIn, poundsOut, hash }) => (
          <tbody key={day}>
            <tr>
              <th scope="rowgroup" colSpan={3}>
                {dayText(day)}
              </th>
            </tr>
            <tr>
              <td>{formatWhole(entries)}</td>
              <td>
                <Sums dollars={dollarsIn} pounds={poundsIn} />
              </td>
              <td>
                <Sums dollars={dollarsOut} pounds={poundsOut} />
              </td>
            </tr>
            <tr>
              <td colSpan={3} className={styles.hash}>
                {m.headsHash()} <code>{hash}</code>
              </td>
            </tr>
          </tbody>
        ))}
      </table>

      <h2>{m.headsKeyTitle()}</h2>
      <p>{m.headsKeyText()}</p>
      {keys.map(({ key, fingerprint, from }) => (
        <Facts key={key}>
          <Fact name={m.headsFingerprint()}>
            <code>{fingerprint}</code>
          </Fact>
          <Fact name={m.headsKey()}>
            <code>{key}</code>
          </Fact>
          <Fact name={m.headsKeyFrom()}>{dayText(from)}</Fact>
        </Facts>
      ))}

      <h2>{m.headsCompare()}</h2>
      <ol>
        <li>{m.headsCompareOpen()}</li>
        <li>{m.headsCompareHash()}</li>
        <li>{m.headsCompareOthers()}</li>
      </ol>

      <h2>{m.giftProofSelf()}</h2>
      <p>{m.headsSelfLead()}</p>
      <pre>
        <code>node verify-gift.mjs --key {keys[0]?.key} heads.json</code>
      </pre>
      <ul>
        <li>
          <a href={VERIFIER_PATH} download>
            verify-gift.mjs
          </a>
        </li>
        {keys.length > 1 && (
          <li>
            <a href={callPath('readKeyChanges', { orgid: orgId })} download="keys.json">
              {m.headsKeysDownload()}
            </a>
          </li>
        )}
        {files.map((day) => (
          <li key={day}>
            <a href={`${file}?from=${day}`} download="heads.json">
              {m.headsDownload({ day: dayText(day) })}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sums({ dollars, pounds }: { readonly dollars: number; readonly pounds: number }) {
  return (
    <>
      {formatDollars(dollars)} <small>{m.headsPounds({ pounds: formatPounds(pounds) })}</small>
    </>
  );
}

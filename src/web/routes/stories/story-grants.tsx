import type { ReactNode } from 'react';
import type { Profile, PublishedGrant, PublishedHome } from '#contract/schemas/stories.ts';
import { dayText } from '#domain/days.ts';
import { methodText } from '#domain/grant-texts.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { listMeasures } from '#web/stories/grant-lines.ts';
import { StoryPhoto } from '#web/stories/story-photo.tsx';
import { EnglishText } from '#web/ui/english-text.tsx';
import styles from './story-grants.module.css';

/** A home's grants, or the homes of an installer or offsetter, with the facts that the households agreed to publish. */
export function StoryGrants({ profile: { grants = [], homes = [] }, heading }: { profile: Profile; heading: string }) {
  return (
    <>
      {grants.length > 0 && (
        <section className={styles.part} aria-labelledby="grants">
          <h2 id="grants">{grants.length === 1 ? m.storyGrant() : m.storyGrants()}</h2>
          {grants.map((grant, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a published grant has no id
            <Grant key={index} grant={grant} />
          ))}
        </section>
      )}
      {homes.length > 0 && (
        <section className={styles.part} aria-labelledby="homes">
          <h2 id="homes">{heading}</h2>
          <ul className={styles.homes}>
            {homes.map((home, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a home may be listed twice
              <HomeItem key={index} home={home} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Grant({ grant: { amount, measures, installer, savings, dates } }: { grant: PublishedGrant }) {
  return (
    <dl className={styles.grant}>
      {measures && <GrantFact name={m.storyGrantMeasures()}>{listMeasures(measures)}</GrantFact>}
      {amount !== undefined && <GrantFact name={m.storyGrantAmount()}>{formatDollars(amount)}</GrantFact>}
      {installer && <GrantFact name={m.storyGrantInstaller()}>{renderInstaller(installer)}</GrantFact>}
      {savings && (
        <GrantFact name={m.storyGrantSavings()}>
          <Savings savings={savings} />
        </GrantFact>
      )}
      {dates && <GrantFact name={m.storyGrantDates()}>{renderDates(dates)}</GrantFact>}
    </dl>
  );
}

function GrantFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function renderInstaller({ name, profileURL }: NonNullable<PublishedGrant['installer']>): ReactNode {
  return profileURL === null ? name : <Link to={profileURL}>{name}</Link>;
}

function Savings({ savings }: { savings: NonNullable<PublishedGrant['savings']> }) {
  const { yearlyPounds, years, countedPounds, method, methodSource, otherFundingSource, fullSavingsReason } = savings;
  const pounds = formatPounds(countedPounds, 0);
  return (
    <>
      <p>{m.storyGrantYearly({ pounds: formatPounds(yearlyPounds, 0), count: years })}</p>
      {otherFundingSource !== '' && (
        <p className={styles.small}>
          {fullSavingsReason === ''
            ? m.storyGrantShare({ others: otherFundingSource, pounds })
            : m.storyGrantAll({ others: otherFundingSource, reason: fullSavingsReason })}
        </p>
      )}
      <p className={styles.small}>
        {methodText(method)} <EnglishText>{methodSource}</EnglishText>
      </p>
    </>
  );
}

function renderDates({ promisedOn, paidOn, doneOn, inspectedOn }: NonNullable<PublishedGrant['dates']>): ReactNode {
  const days = [
    [m.storyGrantPromised, promisedOn],
    [m.storyGrantPaid, paidOn],
    [m.storyGrantDone, doneOn],
    [m.storyGrantInspected, inspectedOn],
  ] as const;
  const lines = days.flatMap(([text, day]) => (day === null ? [] : [{ day, line: text({ day: dayText(day) }) }]));
  return lines
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map(({ line }) => <p key={line}>{line}</p>);
}

function HomeItem({ home: { name, profileURL, measures, doneOn, photo } }: { home: PublishedHome }) {
  const facts = [
    ...(measures ? [listMeasures(measures)] : []),
    ...(doneOn === undefined ? [] : [m.storyGrantDone({ day: dayText(doneOn) })]),
  ];
  return (
    <li>
      {photo && (
        // The link next to the picture contains the name.
        <StoryPhoto profile={{ id: profileURL, name: '', photo }} scene="home" sizes="96px" className={styles.photo} />
      )}
      <Link to={profileURL}>{name}</Link>
      {facts.length > 0 && <p className={styles.small}>{facts.join(' · ')}</p>}
    </li>
  );
}

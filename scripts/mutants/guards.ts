import type { Mutant } from './mutation.ts';

const AFTER_PAYMENT = 'test/server/checkouts/after-payment';
const ATTENTION = 'test/server/checkouts/attention';
const CREATE = 'test/server/checkouts/create-checkout';
const DELETE = 'test/server/checkouts/delete-checkout';
const RECORD = 'test/server/checkouts/record-payment';
const REFUND = 'test/server/checkouts/refund-payment';
const RENEWALS = 'test/server/checkouts/renewals';
const RECONCILE = 'test/server/checkouts/reconcile-payments';
const WEBHOOK = 'test/server/checkouts/webhook';
const GIFTS = 'test/server/subscriptions';
const COVERED_FEE = 'test/server/checkouts/covered-fee';
const TRIBUTES = 'test/server/tributes';
const CHECKS = 'test/server/pledges';
const CARD_TESTING = 'test/server/rate-limits/card-testing';
const PERMISSIONS = 'test/domain/permissions';
const OUTAGE = 'test/server/main/outage';
const STOPPING = 'test/server/main/stopping';

/** Gives each guard its file and its tests. */
function of(file: string, tests: readonly string[], ...guards: readonly Removed[]): Mutant[] {
  return guards.map(([guard, without, ...own]) => ({ file, guard, without, tests: own.length > 0 ? own : tests }));
}

/** The guard, what replaces it, and its own tests if it has any. */
type Removed = readonly [string, string, ...string[]];

/** The checks that keep the money right; `npm run mutants` removes them one at a time. */
export const GUARDS: readonly Mutant[] = [
  // Which home a gift helped: no cent and no pound twice, and nobody's home changes by another's refund.
  ...of(
    'src/domain/allocation.ts',
    ['test/domain/allocation'],
    ['const to = Math.min(hole.to, hole.from + gift.waiting);', 'const to = hole.to;'],
    ['const kept = Math.min(pounds, promised - own);', 'const kept = pounds;'],
    ['const pounds = Math.min(each.behind, spare.get(grant) ?? 0);', 'const pounds = each.behind;'],
    ['const unplaced = Math.min(gone, gift.waiting);', 'const unplaced = Math.min(gone, 0);'],
    ['openHole(last.grant, { from, to: last.to });', ''],
    ['grant.isPaid = false;', ''],
    ['Math.max(fact.at, began.get(about) ?? fact.at)', 'fact.at'],
    ['return claimsAll ? whole : partOf(whole, cents, cents + otherCents);', 'return whole;'],
  ),
  // A donor is told of a home what its household agreed to, and nothing from which the rest can be worked out.
  ...of(
    'src/domain/gift-homes.ts',
    ['test/domain/gift-homes'],
    ['return page !== undefined && shown.includes(field);', 'return shown.includes(field);'],
    ['return page !== undefined && shown.includes(field);', 'return page !== undefined;'],
    [`const tellsPounds = tells('amount') === tells('savings');`, 'const tellsPounds = true;'],
    [`const tellsDelivered = tells('amount') && tells('savings') && tells('dates');`, 'const tellsDelivered = true;'],
    ['behind: tellsPounds ? poundsOf(behind) : null,', 'behind: poundsOf(behind),'],
    ['dollarsOf(paid - returned - cents)', 'dollarsOf(0)'],
  ),
  ...of(
    'src/server/features/allocation/allocation.store.ts',
    ['test/server/allocation/read-gift-homes'],
    [`.where(isShownIn('awardees'))`, ''],
  ),
  // Once for each gift and home, an hour after the payment, and not to who is not to be mailed.
  ...of(
    'src/server/features/receipts/mail-homes.ts',
    ['test/server/receipts/mail-homes'],
    ['const due = found.filter(({ since }) => since <= last);', 'const due = found;'],
    ['.some(({ cents, home }) => cents > 0 && home.id === grant_id) === true', ' !== undefined'],
    ['if (testPayment(sandbox, source.livemode ?? undefined) && !mailbox) return undefined;', ''],
  ),
  ...of(
    'src/server/features/receipts/home-mails.store.ts',
    ['test/server/receipts/mail-homes'],
    [`.where('receipts.delivery', '<>', 'refused')`, ''],
    [`.where('checkouts.forgotten_at', 'is', null)`, ''],
  ),
  // A story says which homes its donor's gifts helped only if the donor agreed.
  ...of(
    'src/server/features/stories/read-stories.ts',
    ['test/server/allocation/read-gift-homes'],
    ['shows_homes === true ?', 'true ?'],
  ),
  // What the public account says of pounds and dollars adds up, and reveals no home.
  ...of(
    'src/domain/pounds-account.ts',
    ['test/domain/pounds-account'],
    ['return closed > 0 && closed < FEWEST_HOMES;', 'return closed === 1;'],
    ['paid: revealsOne(grants) ? undefined : paidGrants(grants),', 'paid: paidGrants(grants),'],
    ['if (!revealsOne(group) && (closed === 0 || !revealsOne(few))) continue;', 'if (!revealsOne(group)) continue;'],
    ['if (doneOn === null) continue;', ''],
    ['if (at < startOfYear(year)) return year - 1;', ''],
    ['const split = revealsOne(promised) ?', 'const split = false ?'],
    [
      'if (!account.paid) return { ...known, paid: undefined, left: undefined, promised: undefined, free: undefined };',
      '',
    ],
  ),
  // Who pays for pounds that come later than in two years reads so before (16 CFR 260.5(b)).
  ...of('src/domain/saving-years.ts', ['test/domain/pounds-account'], ["if (years <= SOON_YEARS) return '';", '']),
  ...of(
    'src/server/features/checkouts/create-checkout.ts',
    [CREATE],
    ['notice: cartCarbon(cart) > 0 ?', 'notice: false ?'],
    ['notice: cartCarbon(cart) > 0 ?', 'notice: true ?'],
  ),
  ...of(
    'src/server/features/grants/pay-grant.ts',
    ['test/server/grants'],
    ["if (grant.paid_entry_id !== null) return new Failure('grant-paid');", ''],
    [
      "if (grant.promised_entry_id !== null || grant.paid_entry_id !== null) return new Failure('grant-promised');",
      "if (grant.promised_entry_id !== null) return new Failure('grant-promised');",
    ],
    ['dayFailure(on, grant.promised_on ?? grant.applied_on, deps, granting)', 'undefined'],
    ['if (entryid !== (grant.paid_entry_id ?? grant.promised_entry_id)) return undefined;', ''],
    [
      'const lines = grantPaid(cents, grant.promised_entry_id === null ? 0 : grant.amount_cents);',
      'const lines = grantPaid(cents, 0);',
    ],
  ),
  ...of(
    'src/server/features/grants/save-grant.ts',
    ['test/server/grants'],
    ["if (isInBooks && !keeps) return new Failure('grant-in-books', { field: 'amount' });", ''],
    ["if ((await entriesOf(tx, key)) > 0) return new Failure('grant-in-books');", ''],
    ["if (grant.promised_on === null && grant.paid_on === null) return new Failure('grant-not-promised');", ''],
    ['(await hasAwardee(tx, key.orgId, facts.awardeeid))', 'true'],
  ),
  ...of(
    'src/domain/books.ts',
    ['test/domain/books', 'test/server/grants'],
    ['free: provider + bank + committed,', 'free: provider + bank,'],
  ),
  // What a household did not agree to show leaves in no answer.
  ...of('src/domain/grant.ts', ['test/server/grants/shown-grants'], ['shown.includes(field) &&', '']),
  ...of(
    'src/server/features/grants/shown-grants.ts',
    ['test/server/grants/shown-grants'],
    ["...(shown.includes('measures') ? { measures: [...measures] } : {}),", 'measures: [...measures],'],
    ["shown.includes('dates') && doneOn !== null ?", 'doneOn !== null ?'],
  ),
  ...of(
    'src/server/features/grants/grants.store.ts',
    ['test/server/grants/shown-grants'],
    [".where((grant) => grant.or([grant('promised_on', 'is not', null), grant('paid_on', 'is not', null)]))", ''],
    [".where(sql<boolean>`'installer' = any(shown)`)", ''],
    [".on('installers.status', '=', 'published')", ''],
    [".on('awardees.status', '=', 'published')", ''],
  ),
  ...of(
    'src/server/features/stories/editorial-stories.ts',
    ['test/server/grants'],
    ["key.kind === 'awardee' && (await hasBookedGrant(tx, key.orgId, key.id))", 'false'],
  ),
  // A payment must match its checkout.
  ...of(
    'src/server/features/checkouts/record-session.ts',
    [WEBHOOK],
    [`if (checkout.total_cents !== facts.amount) return 'amount';`, ''],
    [`if (checkout.currency !== facts.currency) return 'currency';`, ''],
    [`return known === null || known === facts.sessionId ? undefined : 'session';`, 'return undefined;'],
    [`origin === 'foreign' || (orgId`, `(orgId`],
    [`({ facts }) => facts.report === 'paid'`, `({ facts }) => facts.report !== 'open'`, RECORD],
    [`if (facts.report !== 'paid' && facts.report !== 'processing') return { outcome: 'ignored' };`, ''],
    [`return forgotten_at === null ? {`, 'return true ? {', DELETE],
    [`if (!checkout?.forgotten_at ||`, 'if (!checkout || true ||', DELETE],
    ['await closeAttentionItems(', 'if (false) await closeAttentionItems('],
    ['some.every(({ checkoutId }) => checkoutId !== report.checkoutId)', 'true'],
  ),
  ...of(
    'src/server/features/checkouts/checkouts.store.ts',
    [DELETE, WEBHOOK, 'test/server/permissions'],
    [
      `.selectAll().where('org_id', '=', orgId).where('id', '=', checkoutId);`,
      `.selectAll().where('id', '=', checkoutId);`,
    ],
  ),
  ...of(
    'src/server/features/provider-events/provider-events.store.ts',
    [WEBHOOK],
    [`\n      and (e.subject_kind = 'session' or e.type = 'charge.updated')`, ''],
  ),
  // A backup is whole, or it is none.
  ...of(
    'src/server/features/backups/backup-file.ts',
    ['test/server/backups/backup-file'],
    ['if (!hash.digest().equals(kept)) throw', 'if (false) throw'],
    [`if (!isWhole) throw`, 'if (false) throw'],
  ),
  ...of(
    'src/server/features/backups/seal.ts',
    ['test/server/backups/backup-file'],
    ['nonce[11] = isLast ? 1 : 0;', ''],
    ['nonce.writeUIntBE(place, 5, 6);', ''],
    [
      ', nonceOf(place, isLast), { authTagLength: TAG_BYTES }).setAAD(about)',
      ', nonceOf(place, isLast), { authTagLength: TAG_BYTES })',
    ],
  ),
  ...of(
    'src/server/features/backups/database-copy.store.ts',
    ['test/server/backups/restore-backup'],
    ['found.digest !== wanted.digest', 'false'],
    [`await client.query(\`alter table public.\${quoted(name)} enable trigger user\`);`, ''],
    ['if (last !== null) await client.query(', 'if (false) await client.query('],
    [`await client.query(\`alter table \${table} add constraint \${quoted(name)} \${definition}\`);`, ''],
  ),
  ...of(
    'src/server/features/backups/restore-backup.ts',
    ['test/server/backups/restore-backup'],
    ['if (!options.replace && (await hasFacts(owner)))', 'if (false)'],
    ['if (!options.replace && (await hasDatabase(folder, log)))', 'if (false)', 'test/server/backups/backup-commands'],
  ),
  ...of('src/domain/backups.ts', ['test/domain/backups'], ['backups.slice(0, 1)', '[]']),
  // Any site may frame the calculator, and it believes and shows nothing that it should not.
  ...of(
    'src/server/features/embed/embed.routes.ts',
    ['test/server/site/embed'],
    ["base-uri 'none'; frame-ancestors *", "base-uri 'none'"],
    ["removeHeader('x-frame-options')", "removeHeader('x-frame')"],
    ['if (ready?.version === version)', 'if (ready)'],
  ),
  ...of(
    'src/server/features/embed/embed-files.ts',
    ['test/server/site/embed'],
    ['event.origin === origin ? ', 'event.origin ? '],
    ['!Number.isInteger(height) || ', ''],
    ['if (frame.contentWindow === event.source) ', ''],
    ["src.startsWith(origin + '/')", 'src.startsWith(origin)'],
  ),
  ...of(
    'src/server/features/embed/embed-estimate.ts',
    ['test/server/site/embed'],
    ['value !== undefined && !(value >= 0 && value <= MOST)', 'false'],
    ['if (mpg === 0) return undefined;', ''],
    ["!isSent || sent.roundtrip === 'on'", "sent.roundtrip === 'on'"],
    ["roundtrip && what !== 'home' ? 1 : 0", '0'],
  ),
  // Nobody takes more than their part.
  ...of(
    'src/server/features/rate-limits/check-rate-limit.ts',
    ['test/server/rate-limits', 'test/server/sessions/lock-out'],
    ['return wait > 0 ? tooManyRequests(wait) : undefined;', 'return undefined;'],
    ['asker.device !== undefined && inKnownDevice !== undefined', 'false', 'test/server/sessions/lock-out'],
  ),
  ...of(
    'src/server/http/network.ts',
    ['test/server/rate-limits/limited-gifts'],
    ['return isIPv6(address) ? firstHalf(address) : plain;', 'return plain;'],
    ['WITH_PORT.exec(client)?.slice(1).find(Boolean) ?? client', 'client', 'test/server/rate-limits/limited-calls'],
  ),
  ...of(
    'src/server/features/pledges/record-pledge.ts',
    ['test/server/pledges/pledge-check', 'test/server/rate-limits/limited-gifts'],
    ['amount > LIKELY_PLEDGE_DOLLARS ||', ''],
    [`(await checkRateLimit({ db, now }, 'pledge', { client, email }))`, 'undefined'],
  ),
  ...of(
    'src/server/features/checkouts/checkouts.store.ts',
    [RECONCILE],
    ['partition by coalesce(client, id) order', 'partition by id order'],
  ),
  ...of(
    'src/server/http/uploads.ts',
    ['test/server/checkouts/uploads'],
    ['if (places.some(isFull)) throw tooManyRequests(RETRY_AFTER_SECONDS);', ''],
    [' && !endSlowest(name, now)', '', 'test/server/http/places'],
    [' && now - since >= SURE_MS', '', 'test/server/http/places'],
    ['if (ended.has(request)) {', 'if (false) {', 'test/server/http/places'],
  ),
  ...of(
    'src/server/features/rate-limits/limited-forms.ts',
    ['test/server/rate-limits/limited-gifts'],
    ['if (refused) throw refused;', ''],
    ['reply.raw.headersSent && reply.statusCode < 300', 'false'],
  ),
  ...of(
    'src/server/features/checkouts/read-checkout.ts',
    ['test/server/rate-limits/limited-gifts'],
    [` || (await checkRateLimit(deps, 'payment-question', { client, thing: 'all' }))`, ''],
  ),
  ...of(
    'src/server/features/checkouts/checkouts.routes.ts',
    ['test/server/checkouts/uploads'],
    ['(await answerWithoutForm(deps, keyOf(params))) ??', ''],
  ),
  ...of(
    'src/server/http/body-deadlines.ts',
    ['test/server/http/slow-bodies'],
    ['if (isFastEnough) return;', 'return;'],
    ['isForm && !reply.raw.writableEnded && socket', 'isForm && socket'],
  ),
  ...of(
    'src/server/features/live/live.routes.ts',
    ['test/server/live/follow-org'],
    ['if (followers.of(client) >= most) throw tooManyRequests(RETRY_AFTER_SECONDS);', ''],
  ),
  ...of(
    'src/server/http/input.ts',
    ['test/server/http/deep-input'],
    ['if (path.length > DEEPEST) throw', 'if (false) throw'],
  ),
  // What is shown to others is harmless, and theirs to see.
  ...of(
    'src/server/http/csv-file.ts',
    ['test/server/treasury/csv'],
    [`cell.replace(INNER_FORMULA, "$&'").replace(`, 'cell.replace('],
    [`.replace(FORMULA, "'$&")`, ''],
  ),
  ...of(
    'src/server/features/media/media.routes.ts',
    ['test/server/media/hidden-photos'],
    ['isFile ? await mayOpenPhoto(db, key, request.query.pass) : undefined', 'isFile'],
  ),
  ...of(
    'src/contract/languages.ts',
    ['test/contract/languages'],
    ['LANGUAGES.find((language) => language === name)', 'LANGUAGES.find((language) => name?.startsWith(language))'],
  ),
  ...of(
    'src/server/features/sessions/session-lifecycle.ts',
    ['test/server/sessions/sign-up'],
    ['if (login.language) await keepLanguage(', 'if (false) await keepLanguage('],
  ),
  ...of(
    'src/server/gateways/payments/stripe-sessions.ts',
    ['test/server/checkouts/create-checkout'],
    ['language === FIRST_LANGUAGE ? {} : { locale: language }', '{}'],
  ),
  ...of(
    'src/server/gateways/payments/stripe-subscriptions.ts',
    ['test/server/payments'],
    ['...(language === FIRST_LANGUAGE ? {} : { locale: language }),', ''],
  ),
  ...of(
    'src/server/features/sessions/send-link.ts',
    ['test/server/sessions/links'],
    ['{ ...asked, language: from.language }', 'asked'],
  ),
  ...of(
    'src/server/features/sessions/mail-session.ts',
    ['test/server/sessions/links'],
    ['inLanguage(PATHS[purpose], languageNamed(language))', 'PATHS[purpose]'],
  ),
  ...of(
    'src/domain/receipt.ts',
    ['test/server/mail/mails-in-languages', 'test/server/receipts/mail-receipt'],
    ['translation === undefined ? [] : [statement]', '[]'],
    ['statement: m.receiptNoGoods({}, { locale: first })', 'statement: m.receiptNoGoods({}, options)'],
  ),
  ...of(
    'src/server/features/recovery/recover.ts',
    ['test/server/recovery/recover'],
    ['keptLanguage(languageNamed(session.language))', 'null'],
  ),
  ...of(
    'src/server/gateways/mail/letter.ts',
    ['test/server/mail/mails-in-languages'],
    ["inLanguage(pagePath('login-page', {}), language)", "pagePath('login-page', {})"],
  ),
  ...of(
    'src/server/features/stories/mail-story.ts',
    ['test/server/stories/claim-story'],
    [`if (story.claim === 'asked') return;`, ''],
  ),
  ...of(
    'src/server/features/stories/claim-story.ts',
    ['test/server/stories/claim-story'],
    [`textFailure(start) === undefined`, 'true'],
    ['orgId, userId: owner.userId, client, isMine });', 'orgId, userId: owner.userId, client, isMine: true });'],
    ['await recordClaim(tx,', 'if (false) await recordClaim(tx,'],
  ),
  ...of(
    'src/server/features/mailbox/mailbox.routes.ts',
    ['test/server/mail/mailbox.routes'],
    ['isProxied || !OWN_NAMES.includes(name)', 'isProxied'],
    ['isProxied || !OWN_NAMES.includes(name)', '!OWN_NAMES.includes(name)'],
  ),
  ...of(
    'src/server/features/policy-reports/policy-reports.routes.ts',
    ['test/server/policy-reports'],
    [`isKnown || !(await checkRateLimit(deps, 'new-policy-report', { client }))`, 'true'],
  ),
  ...of(
    'src/server/http/forwarding.ts',
    ['test/server/http/forwarding'],
    ['if (ip !== socket.remoteAddress) return;', ''],
  ),
  // An outage of the database that is over is counted, and operators are mailed.
  ...of('src/server/db/notifications.ts', ['test/server/main/outage'], ['tell(true);', ''], ['tell(false);', '']),
  // Processes that keep their pictures apart are noticed, and the mark by which they are stays with its folder.
  ...of(
    'src/server/gateways/pictures/picture-folder.ts',
    ['test/server/operation/picture-folder'],
    ['return (await markIn(folder)) === known;', 'return true;'],
    ['if (known === fresh) await writeMark(folder, fresh);', ''],
    ['await writeMark(folder, await programSecret(db.kysely, MARK_NAME, mark));', ''],
    ['programSecret(tx, MARK_NAME, (await markIn(folder)) ?? fresh)', 'programSecret(tx, MARK_NAME, fresh)'],
  ),
  ...of('src/server/features/backups/make-backup.ts', ['test/server/operation/picture-folder'], ['|^\\.', '']),
  // One process at a time asks the provider.
  ...of(
    'src/server/jobs/leases.ts',
    ['test/server/jobs/leases'],
    ['leases.held_until <= now() and (', '('],
    [`(\${evenIfNotDue}::boolean or leases.due_at <= now())`, 'true'],
    [`excluded.held_until where \${isFree}`, 'excluded.held_until where true'],
    [
      `due_at = \${inMs(dueInMs)}\n    where name = \${name} and holder = \${holder}\``,
      `due_at = \${inMs(dueInMs)}\n    where name = \${name}\``,
    ],
    ['if (!isOurs) return;', ''],
  ),
  // Operators are told once of what goes wrong unseen, and not of what does not.
  ...of(
    'src/domain/alarms.ts',
    ['test/domain/alarms'],
    ['(other === null || at > other)', 'true'],
    [
      'isAfter(eventFoundAt, webhookVerifiedAt) && isOlder(eventFoundAt, WEBHOOK_MS)',
      'isAfter(eventFoundAt, webhookVerifiedAt)',
    ],
    ['isSilent && isAfter(webhookRefusedAt, webhookVerifiedAt)', 'isAfter(webhookRefusedAt, webhookVerifiedAt)'],
    [`isSilent && !isRefused,`, 'isSilent,'],
    ['neverVerified || ', ''],
    ['facts.booksVerifiedAt === null && facts.uptimeMs > NIGHTLY_MS', 'facts.booksVerifiedAt === null'],
    ['makesBackups && (', '('],
    ['facts.backupMadeAt === null || ', ''],
    ['Math.max(size / 20, Math.min(GIGABYTE, size / 5))', 'size / 20'],
    ['if (!waited || isTooSoon)', 'if (isTooSoon)'],
    ['if (!waited || isTooSoon)', 'if (!waited)'],
  ),
  ...of(
    'src/server/features/alarms/check-alarms.ts',
    ['test/server/operation/alarms'],
    ['if (!(await claimAlarmLook(db, now()))) return;', 'await claimAlarmLook(db, now());'],
    ['alarmEmails.length > 0', 'false'],
    ['await saveAlarm(tx, key, next.state);', ''],
    ["if (mail === 'began') log.error(", "if (mail === 'over') log.error("],
  ),
  ...of(
    'src/server/features/alarms/alarms.store.ts',
    ['test/server/operation/alarms'],
    ['.forUpdate()', ''],
    ["sent.state = 'completed' and", 'false and'],
  ),
  ...of(
    'src/server/features/alarms/mail-alarm.ts',
    ['test/server/operation/alarms'],
    ['return user?.admin ? user : undefined;', 'return user;'],
  ),
  // What watches the program shows nothing to others, and nothing of a visitor.
  ...of(
    'src/server/http/request-ids.ts',
    ['test/server/site/request-ids'],
    ['WELL_FORMED.test(sent) && ', ''],
    [' && isTrusted(remoteAddress)', ''],
  ),
  ...of(
    'src/server/log.ts',
    ['test/server/site/canary-secrets'],
    [`url.split('?')[0]?.replace(/\\/gifts\\/[^/]+/, '/gifts/…')`, 'url'],
  ),
  ...of(
    'src/server/http/problems.ts',
    ['test/server/site/canary-secrets'],
    ['details[FIELD_AS_SENT] ? undefined : ', ''],
  ),
  ...of(
    'src/server/features/metrics/metrics.routes.ts',
    ['test/server/site/metrics'],
    [`if (metricsToken === undefined) return sendProblem`, 'if (false) return sendProblem'],
    ['sent === undefined || !isSame(sent, metricsToken)', 'sent === undefined'],
  ),
  ...of(
    'src/server/db/slow-queries.ts',
    ['test/server/db/slow-queries'],
    ['const query = shapeOf(text);', 'const query = text;'],
  ),
  // Stolen cards are not tried here.
  ...of(
    'src/server/features/rate-limits/card-brake.ts',
    [CARD_TESTING],
    ['if (wait === 0) return undefined;', 'return undefined;'],
    ['(await challenge.isPassed(passed))', 'true'],
    ['closesPage: Boolean(onPage) || isStopped', 'closesPage: isStopped'],
    ['closesPage: Boolean(onPage) || isStopped', 'closesPage: Boolean(onPage)'],
    [`await releaseRateLimit(deps, 'declined-card', { client });`, ''],
    ['inAll > 0 && !challenge', 'false'],
  ),
  ...of(
    'src/server/features/checkouts/record-decline.ts',
    [CARD_TESTING],
    ['isCard && now', 'now'],
    ['now.getTime() - at.getTime() < RECENT_MS', 'true'],
    [`invoice !== 'unknown' && invoice.isFirst ?`, `invoice !== 'unknown' ?`],
    [`if (await checkRateLimit(deps, 'card-alarm', { thing: scope })) return;`, ''],
  ),
  // What the provider says.
  ...of(
    'src/server/gateways/payments/stripe-sessions.ts',
    ['test/server/payments', WEBHOOK],
    [
      `if (session.payment_status === 'no_payment_required') return 'failed';`,
      `if (session.payment_status === 'no_payment_required') return 'paid';`,
    ],
    [`if (session.status !== 'complete') return 'open';`, ''],
    [
      `return hasFailed(session) || FAILED_INTENTS.includes(attempt ?? '') ? 'failed' : 'processing';`,
      `return 'processing';`,
      ...[RECORD, 'test/server/payments'],
    ],
    [`hasFailed(session) || FAILED_INTENTS.includes(attempt ?? '')`, 'hasFailed(session)', RENEWALS],
  ),
  ...of(
    'src/server/gateways/payments/origin.ts',
    [WEBHOOK],
    [`return marked === installation ? 'ours' : 'foreign';`, `return 'ours';`],
  ),
  ...of(
    'src/server/gateways/payments/stripe-charges.ts',
    [AFTER_PAYMENT],
    [`const failed = status === 'failed' || status === 'canceled';`, 'const failed = false;'],
    [`status === 'won' ? 'won' : status === 'lost' ? 'lost' : 'open'`, `status === 'won' ? 'won' : 'lost'`],
    [`if (status.startsWith('warning_') || status === 'prevented') return [];`, '', 'test/server/payments'],
  ),
  ...of(
    'src/server/gateways/payments/stripe-events.ts',
    [WEBHOOK, 'test/server/payments'],
    [`|| isFromTheFuture(signature, now)) return`, ') return'],
    ['const TOLERANCE_SECONDS = 300;', 'const TOLERANCE_SECONDS = 300_000_000;'],
    [
      `if (typeof signature !== 'string' || isFromTheFuture(signature, now)) return new Failure('webhook-signature');`,
      `return providerEvent(JSON.parse(rawBody.toString('utf8')));`,
    ],
  ),
  ...of(
    'src/server/gateways/payments/stripe-payments.ts',
    ['test/server/payments'],
    ['...opening(connection), idempotencyKey: ', '...opening(connection), idempotencyKey: Math.random() + '],
    ['if (session.id !== id) throw new UnusableResponse();', ''],
  ),
  ...of(
    'src/server/gateways/payments/stripe-refunds.ts',
    [REFUND],
    ['{ idempotencyKey: ', '{ idempotencyKey: Math.random() + '],
    [`if (error.code === 'charge_disputed') return new Failure('refund-disputed');`, ''],
  ),
  // Each fact once.
  ...of(
    'src/server/features/ledger/ledger.store.ts',
    ['test/server/ledger/append-only', RECORD],
    [`.onConflict((conflict) => conflict.column('fact').doNothing())`, ''],
    [
      'amount_cents: sql`ledger_totals.amount_cents + excluded.amount_cents`',
      'amount_cents: sql`excluded.amount_cents`',
    ],
  ),
  ...of(
    'src/server/features/ledger/post-entry.ts',
    ['test/server/ledger/payment-mode', 'test/server/ledger/double-entry'],
    ['inserted.get(row.id)?.counts', 'inserted.has(row.id)'],
    ['lines: entry.lines ?? linesOf(entry.kind, entry.amount)', 'lines: {}'],
  ),
  ...of(
    'src/server/features/ledger/org-stats.ts',
    ['test/server/orgs/set-stats'],
    ['if (STAT_NAMES.some((name) => seen[name] !== undefined && seen[name] !== now[name])) {', 'if (false) {'],
  ),
  ...of(
    'src/server/features/checkouts/post-gift.ts',
    ['test/server/checkouts/signed-in-payer'],
    ['if (entryId !== undefined) posted.push({', 'if (true) posted.push({', WEBHOOK],
    [
      `  const offsetters = await lockOffsetters(tx, orgId, gifts);
  const entryIds = await postEntries(tx, gifts.map(entryOf));`,
      `  const entryIds = await postEntries(tx, gifts.map(entryOf));
  const offsetters = await lockOffsetters(tx, orgId, gifts);`,
    ],
  ),
  // What goes back.
  ...of(
    'src/server/features/checkouts/record-charge.ts',
    [AFTER_PAYMENT],
    ['if (isNew) gift.returned = after;', 'gift.returned = after;'],
    [`if (status !== 'failed') {`, 'if (true) {'],
    ['if (await isPosted(gift.tx, fact)) {', 'if (true) {', REFUND],
    [`if (status === 'won') {`, 'if (false) {'],
    [`} else if (status === 'lost') {`, '} else if (false) {'],
    ['reason: (gift.isForgotten ? undefined : reason) ?? null', 'reason: reason ?? null', DELETE],
    [`return isOurs(story) ? refuse(deps, story) : { outcome: 'ignored' };`, 'return refuse(deps, story);'],
    [`if (returns.some(({ status }) => status === 'open')) return 'disputed';`, ''],
    ['if (offsetterId !== undefined) await followRefund', 'if (false) await followRefund'],
  ),
  ...of(
    'src/server/features/checkouts/payments.store.ts',
    [REFUND],
    [`.where('payments.org_id', '=', orgId)\n`, '\n'],
    [`.where('checkouts.deleted_at', 'is', null)`, ''],
    [
      `.where(sql<boolean>\`returns.status in ('pending', 'open') or excluded.status = 'failed'\`),`,
      ',',
      AFTER_PAYMENT,
    ],
  ),
  ...of(
    'src/server/features/checkouts/refund-payment.ts',
    [REFUND],
    ['key: `', 'key: Math.random() + `'],
    [
      `const failure = aboutField('reason', reasonFailure(reason));`,
      'const failure = undefined as Failure | undefined;',
    ],
  ),
  ...of(
    'src/domain/books.ts',
    ['test/domain/books'],
    [`move(cents, 'disputed', 'gifts')`, `move(cents, 'provider', 'gifts')`],
    ['BigInt(part) * 2n + BigInt(whole)', 'BigInt(part) * 2n'],
  ),
  // Renewals and recurring gifts.
  ...of(
    'src/server/features/checkouts/record-invoice.ts',
    [RENEWALS],
    [`if (checkout.provider_subscription_id !== facts.subscriptionId) return 'subscription';`, ''],
    [`return checkout.currency === facts.currency ? undefined : 'currency';`, 'return undefined;'],
    [`if (!facts.isPaid || facts.amount === 0) return { outcome: 'ignored' };`, ''],
    [`if (origin === 'foreign' || checkoutId === undefined)`, 'if (checkoutId === undefined)'],
  ),
  ...of(
    'src/server/features/subscriptions/manage-gift.ts',
    [GIFTS],
    ['const ended = await deps.payments.cancelSubscription(gift.id);', `const ended = 'ended' as 'ended' | Failure;`],
    [`if (gift.status === 'past_due') return new Failure('gift-past-due');`, ''],
    [`if (ended instanceof Failure) return new Failure('gift-not-stopped');`, ''],
  ),
  ...of(
    'src/server/features/subscriptions/record-subscription.ts',
    [GIFTS],
    ['if (isOld) return', 'if (false) return'],
    [`if (origin === 'foreign' ||`, 'if ('],
  ),
  ...of(
    'src/server/features/subscriptions/record-failed-renewal.ts',
    [GIFTS],
    ['if (isNew && subscription', 'if (subscription'],
  ),
  // Deleting.
  ...of(
    'src/server/features/checkouts/delete-checkout.ts',
    [DELETE],
    ['if (!now?.provider_subscription_id) return undefined;', 'return undefined;'],
    ['const closed = await deps.payments.close(sessionId);', `const closed = 'closed' as 'closed' | Failure;`],
    ['await eraseReceiptPayer(tx, key.orgId, key.checkoutId);', ''],
    ['closed instanceof Failure ? closed : await recordSession(deps, sessionId);', 'closed;'],
  ),
  ...of(
    'src/server/features/users/delete-user.ts',
    ['test/server/users/delete-user'],
    [
      'const canceled = await deps.payments.cancelSubscription(provider_subscription_id);',
      `const canceled = 'ended' as 'ended' | Failure;`,
    ],
    [
      'const closed = await deps.payments.close(provider_session_id);',
      `const closed = 'closed' as 'closed' | Failure;`,
    ],
  ),
  // Checks.
  ...of(
    'src/server/features/pledges/receive-pledge.ts',
    [CHECKS],
    [
      `if (pledge.status === 'received') return new Failure('pledge-received');\n    if (pledge.status === 'withdrawn')`,
      `if (pledge.status === 'withdrawn')`,
    ],
    [`if (pledge.status === 'withdrawn') return new Failure('pledge-withdrawn');`, ''],
    [`if (pledge.bounced) return new Failure('pledge-withdrawn');`, ''],
  ),
  ...of(
    'src/server/features/pledges/record-pledge.ts',
    [CHECKS],
    ['if (isNew && received)', 'if (received)'],
    ['if (!isUnlikely) await', 'await'],
  ),
  ...of('src/server/features/pledges/mail-pledge.ts', [CHECKS], [`pledge?.status !== 'pledged'`, '!pledge']),
  ...of(
    'src/server/features/pledges/reverse-pledge.ts',
    [CHECKS],
    ['if (entry.isReversed) return readPledge(tx, key);', ''],
    ['amount: -entry.amount_cents, carbon', 'amount: entry.amount_cents, carbon'],
  ),
  // A gift of which a part went back is not said to have done all of it.
  ...of(
    'src/domain/receipt.ts',
    ['test/server/receipts/receipt-mail'],
    [`kept < amount ? '' : effect`, 'effect'],
    [`cartTotal(given.items) === amount ? cartCarbon(given.items) : 0`, 'cartCarbon(given.items)'],
  ),
  ...of(
    'src/server/features/checkouts/checkouts.store.ts',
    [REFUND],
    [`.where('refunded_cents', '>', 0)`, `.where('refunded_cents', '<', 0)`],
  ),
  // Each receipt is mailed once, and none is silently unsent.
  ...of(
    'src/server/features/receipts/mail-receipt.ts',
    ['test/server/receipts/mail-receipt', 'test/server/receipts/undelivered-receipts'],
    ['if (!(await beginMailing(db.kysely, mailing, now()))) return;', 'await beginMailing(db.kysely, mailing, now());'],
    [`if (!isEmail(email)) throw new MailRefused('address');`, ''],
  ),
  ...of(
    'src/server/jobs/send-recorded.ts',
    ['test/server/receipts/mail-receipt', 'test/server/receipts/undelivered-receipts'],
    [`if (status === 'refused' || isLast) await`, 'if (isLast) await'],
    [`await onceAvailable(() => end('mailed', null));`, `await end('mailed', null);`],
  ),
  ...of(
    'src/server/features/receipts/receipt-mails.store.ts',
    ['test/server/receipts/mail-receipt'],
    [`where m.status = 'sending'\n    returning tries`, 'returning tries'],
  ),
  ...of(
    'src/server/features/receipts/issue-receipt.ts',
    ['test/server/receipts/issue-receipt', 'test/server/treasury/new-year'],
    [`, 'send-receipt', mails);`, `, 'send-receipt', []);`],
    [`=== undefined ? 'live' : 'test';`, `=== undefined ? 'live' : 'live';`],
    ['givenOn: dayOf(receipt.givenAt, org.time_zone),', `givenOn: dayOf(receipt.givenAt, 'UTC'),`],
  ),
  // What waits for a person.
  ...of(
    'src/server/features/checkouts/attention.store.ts',
    [ATTENTION],
    [`.onConflict((conflict) => conflict.column('subject').doNothing())`, ''],
    [`.where('org_id', orgId === null ? 'is' : '=', orgId);`, ';'],
  ),
  ...of(
    'src/server/features/checkouts/attention.ts',
    [ATTENTION],
    [`return new Failure('attention-settled');`, 'return {};'],
  ),
  // The entrance.
  ...of(
    'src/server/features/provider-events/provider-events.store.ts',
    [WEBHOOK, RECONCILE],
    [`.where('next_attempt_at', '<=', now)`, ''],
  ),
  ...of(
    'src/server/features/provider-events/read-event-list.ts',
    [RECONCILE],
    [`'the provider could not list its events');\n    return;`, `'the provider could not list its events');`],
  ),
  // Payouts.
  ...of(
    'src/server/features/payouts/record-payout.ts',
    ['test/server/payouts'],
    [`const missing = (status === 'paid' ? cents : 0) - posted_cents;`, 'const missing = cents - posted_cents;'],
    [' - posted_cents;', ';'],
  ),
  // Who may.
  ...of(
    'src/domain/permissions.ts',
    [PERMISSIONS],
    [`'checkouts.delete': editor,`, `'checkouts.delete': anyone,`],
    [`'payments.refund': money,`, `'payments.refund': books,`],
    [`'attention.settle': money,`, `'attention.settle': books,`],
    [`'gifts.stop': money,`, `'gifts.stop': books,`],
    [`'checks.manage': money,`, `'checks.manage': signedIn,`],
    [`'receipts.send': money,`, `'receipts.send': anyone,`],
    [`'ledger.download': books,`, `'ledger.download': anyRole,`],
    [`'editors.manage': either(editor, admin),`, `'editors.manage': either(anyRole, admin),`],
    [`both(anyRole, owner)`, 'anyRole'],
    ['actor.provenAt.getTime() - actor.issuedAt.getTime() > CLOCKS_DIFFER_MS', 'false'],
    [`    verified(actor) &&\n    roles.some`, '    roles.some'],
    [`orgId !== undefined && actor.roles[orgId] === role`, 'Object.values(actor.roles).includes(role)'],
  ),
  // The cart.
  ...of(
    'src/domain/cart.ts',
    ['test/domain/cart'],
    ['if (cost !== expected)', 'if (false)'],
    ['priceOf(carbon, used.factors) : cost;', 'priceOf(carbon) : cost;', 'test/server/orgs/choose-factors'],
    [`if (!Number.isSafeInteger(cost) || cost < 1)`, 'if (false)'],
    [`if (!Number.isInteger(interval) || interval < 1 || interval > MAXIMUM_MONTHS) {`, 'if (false) {'],
  ),
  ...of(
    'src/server/config.ts',
    ['test/server/config'],
    [`problems.push('STRIPE_SECRET_KEY: is a test key; in production set ALLOW_TEST_PAYMENTS=true to use it');`, ';'],
  ),
  ...of(
    'src/server/features/checkouts/create-checkout.ts',
    [CREATE],
    ['    await insertCheckout(tx, checkout, payer);\n', ''],
    ['versions.includes(factorsVersion)', 'true', 'test/server/orgs/choose-factors'],
    ['    org.factors,\n', '', 'test/server/orgs/choose-factors'],
  ),
  // What offsets are computed with, and where it is from.
  ...of(
    'src/server/features/orgs/choose-factors.ts',
    ['test/server/orgs/choose-factors'],
    ["if (before.version !== versionSeen) return new Failure('factors-moved', { field: 'versionSeen' });", ''],
  ),
  ...of(
    'src/contract/schemas/factors.ts',
    ['test/server/orgs/choose-factors'],
    ['  publisher: typedText(PUBLISHER_MAXIMUM).trim().min(1),', '  publisher: typedText(PUBLISHER_MAXIMUM),'],
    ['z.url({ protocol: /^https?$/ })', 'z.string()'],
    ['isPlausible(name, value)', 'true'],
  ),
  // The card fee that a donor covers.
  ...of(
    'src/domain/card-fee.ts',
    ['test/domain/card-fee'],
    ['  while (charge - cardFeeOf(charge, fee) < gift) charge += 1;\n', ''],
  ),
  ...of(
    'src/server/features/checkouts/create-checkout.ts',
    [COVERED_FEE],
    ['if (told !== undefined && chargeOf(told) !== total)', 'if (false)'],
    ['return chargeFailure(cart, covered) ?? covered;', 'return covered;'],
  ),
  ...of(
    'src/server/gateways/payments/covered-fee-metadata.ts',
    [COVERED_FEE],
    ['return whole === amount && fee < amount ? fee : 0;', 'return fee;'],
  ),
  // A card goes out once, and is no lure.
  ...of(
    'src/server/features/tributes/tributes.store.ts',
    [TRIBUTES],
    [`    .where('card_status', '=', 'unpaid')\n    .returning`, '    .returning'],
  ),
  ...of(
    'src/server/features/tributes/tributes.ts',
    [TRIBUTES],
    [`status: reissuing ? 'unknown' : 'sending'`, `status: 'sending'`],
    ['if (isPaid && !reissuing) await', 'if (isPaid) await'],
  ),
  ...of(
    'src/server/features/tributes/mail-card.ts',
    [TRIBUTES],
    [`if (card?.card_status !== 'sending' || card.card_mailing !== mailing) return;`, 'if (!card) return;'],
    ['if (modeOf(deps, card) && !deps.mailbox)', 'if (false)'],
  ),
  ...of(
    'src/server/features/checkouts/read-checkout.ts',
    [TRIBUTES],
    ['const tribute = isDonor ? await', 'const tribute = true || isDonor ? await'],
  ),
  ...of(
    'src/domain/safe-text.ts',
    ['test/domain/tribute'],
    ['if (UNPRINTABLE.test(text) || UNSEEN.test(text))', 'if (UNPRINTABLE.test(text))'],
    ['if (address !== undefined) return', 'if (false) return'],
    ['return like === undefined ? undefined :', 'return true ? undefined :'],
  ),
  ...of(
    'src/server/features/stories/read-stories.ts',
    ['test/server/media/hidden-photos'],
    [`return pass === access.pass ?`, 'return true ?'],
    [`if (access.isShown) return { kind: 'shown' };`, `return { kind: 'shown' };`],
    [`if (!access) return { kind: 'shown' };`, `if (!access) return { kind: 'for-ever' };`],
  ),
  ...of(
    'src/server/features/editors/change-role.ts',
    ['test/server/editors/editors'],
    [`if (isKept || byAdmin || userId === actorId) {`, 'if (true) {'],
    [`if (isKept || byAdmin || userId === actorId) {`, 'if (role || isKept || byAdmin || userId === actorId) {'],
    [`if (member.leaves_at && member.becomes === becomes)`, 'if (member.leaves_at)'],
    [`if (leaving?.leaves_at?.toISOString() !== leavesAt) return;`, ''],
    [`if (!isKept && !byAdmin && !hasOthers(team, userId))`, 'if (false)'],
    [`user_id !== userId && role === 'editor' && leaves_at === null`, 'user_id !== userId && leaves_at === null'],
  ),
  // What a narrower role sees.
  ...of(
    'src/server/features/editors/read-editors.ts',
    ['test/server/editors/editors'],
    [`team.filter(({ role, user_id }) => role === 'editor' || user_id === ownId)`, 'team'],
    [`team.filter(({ role }) => roleCan(role, action))`, 'team'],
  ),
  ...of(
    'src/server/features/activity/activity.routes.ts',
    ['test/server/activity'],
    [`kinds: activityKinds(may), `, ''],
    [`clients: may('editors.manage')`, 'clients: true'],
  ),
  ...of(
    'scripts/supervise.ts',
    ['test/scripts/supervise'],
    [' || ended === WRONG_SETTINGS)', ')'],
    ['if (crashes > MOST_RESTARTS)', 'if (crashes > 100)'],
    ['if (now() - begun >= STEADY_MS) crashes = 1;', ''],
    ["const stop = () => void child.kill('SIGTERM');", 'const stop = () => {};'],
  ),
  ...of(
    'src/server/http/shed-load.ts',
    ['test/server/http/shed-load'],
    ["(shedding === 'most' && isLast(request))", 'false'],
    ['if (withUnused < limits.heap)', 'if (true)'],
    ['    await measure.collect().catch(() => undefined);\n', ''],
    ["open.of('all') >= most || (open.of(client) >= most / 2 && !isProxy)", "open.of('all') >= most"],
    [' && !isProxy)', ')'],
    ['if (!hasConnection(request)) return undefined;', ''],
    ['works.length < LOOKS ? 0 : Math.min(...works)', 'Math.max(...works)'],
    ["if (shedding === 'nothing' || ", 'if ('],
    ["void reply.header('connection', 'close');", ''],
    [`isRead && !url.startsWith(\`\${API_BASE}/\`) && headers.accept?.includes('text/html') === true`, 'isRead'],
    ["|| url.startsWith('/assets/')", ''],
    ["'cache-control': 'no-store', 'x-robots-tag'", "'x-robots-tag'"],
  ),
  // What leaves the program, and what comes in as somebody else's.
  ...of(
    'src/server/gateways/mail/smtp-mailer.ts',
    ['test/server/mail/smtp-mailer'],
    ['requireTLS: requireTls', 'requireTLS: false'],
  ),
  ...of(
    'src/server/config.ts',
    ['test/server/config/config'],
    [`settings.NODE_ENV === 'production' && !isThisMachine(settings.SMTP_URL ?? '')`, 'false'],
    ['url && !isThisMachine(url) && !usesTls(url)', 'url && !isThisMachine(url) && false'],
  ),
  // A story says how much was offset only if its donor agreed.
  ...of(
    'src/server/features/stories/read-stories.ts',
    ['test/server/checkouts/submit-profile'],
    ['shows_pounds === true ?', 'true ?'],
  ),
  // A picture that a text or an earlier one shows stays.
  ...of(
    'src/server/features/cells/cells.store.ts',
    ['test/server/cells/add-picture'],
    ['or exists (select from cell_versions where', 'or exists (select where false and'],
  ),
  ...of(
    'src/server/features/cells/add-picture.ts',
    ['test/server/cells/add-picture'],
    [`if (!(await isPictureInTexts(db.kysely, key)))`, ''],
  ),
  // An invitation's link opens only what it invites to.
  ...of(
    'src/server/features/sessions/accept-invitation.ts',
    ['test/server/sessions/accept-invitation'],
    [`if (known?.email_verified) return new Failure('link-invalid');`, ''],
    [`if (!(await isOpenInvitation(tx, { id, email }, now()))) return new Failure('link-invalid');`, ''],
    [`if (!(await redeemCode(tx, code, now()))) return new Failure('link-invalid');`, ''],
  ),
  ...of(
    'src/server/gateways/identity/google-sign-in.ts',
    ['test/server/sessions/google-out-of-reach'],
    [String.raw`.replace(/\/\.well-known\/openid-configuration$/, '')`, ''],
  ),
  ...of(
    'src/server/gateways/identity/cookies.ts',
    ['test/server/sessions/better-auth-data'],
    ["`, value, maxAgeSeconds, '/')", '`, value, maxAgeSeconds, path)'],
  ),
  ...of(
    'src/server/http/problems.ts',
    ['test/server/http/call-route'],
    ['if (SUSPICIOUS.has(code)) request.log.warn', 'if (false) request.log.warn'],
  ),
  ...of('src/domain/password.ts', ['test/domain/password'], [' || isOwnWords(typed)', '']),
  ...of(
    'src/server/features/policy-reports/sent-reports.ts',
    ['test/server/policy-reports'],
    ["return page ? PAGES[page.name] : 'other';", 'return text;'],
    ['.slice(0, LONGEST_ORIGIN);\n}', ' + url.pathname;\n}'],
  ),
  ...of(
    'src/server/features/policy-reports/policy-reports.store.ts',
    ['test/server/policy-reports'],
    ['where (select count(*) from policy_reports) <', 'where 0 <'],
  ),
  ...of(
    'src/domain/names.ts',
    ['test/domain/names'],
    ['return nameFailure(name) ?? textFailure(name.normalize().trim());', 'return nameFailure(name);'],
    ['return textFailure(spaced) === undefined ?', 'return true ?'],
  ),
  // Logins, and proofs of who is logged in.
  ...of(
    'src/server/gateways/identity/identity.store.ts',
    ['test/server/sessions/sessions'],
    [`\n    .where('sessions.ends_at', '>', now)`, ''],
  ),
  ...of(
    'src/domain/permissions.ts',
    [PERMISSIONS],
    [`need === 'fresh-token' || isRecent(actor.provenAt, now)`, 'true'],
    [` || !isRecent(actor.issuedAt, now)) return 'token-stale'`, `) return 'token-stale'`],
  ),
  ...of(
    'src/server/http/call-route.ts',
    ['test/server/http/call-route'],
    [`if (typeof handler.needs === 'function') requireNeed(handler.needs(call), actor, deps.now());`, ''],
    [`if (typeof needs === 'string') requireNeed(needs, actor, now());`, ''],
  ),
  ...of(
    'src/server/features/treasury/treasury.routes.ts',
    ['test/server/permissions/proofs'],
    [`\n    needs: 'recent-proof',`, ''],
  ),
  ...of(
    'src/server/features/orgs/orgs.routes.ts',
    ['test/server/orgs/edit-org'],
    [`(reachesMoney(body, org) ? 'recent-proof' : undefined)`, 'undefined'],
    [`return isNewSlug || `, 'return '],
  ),
  ...of(
    'src/server/features/sessions/prove.ts',
    ['test/server/sessions/prove'],
    [`\n  if (refused) return refused;\n  const proven`, '\n  const proven'],
    [`    await releaseRateLimit(deps, 'proof', asker);`, ''],
    ['(await passwordHashOf(tx, bearer.userId)) === hash ?', 'true ?'],
    ['return isProven ?', 'return true ?'],
    ['[sessionId, code', '[code'],
  ),
  // A proof is never weaker than the login.
  ...of(
    'src/server/features/sessions/prove.ts',
    ['test/server/sessions/prove-whole'],
    ['const shown = hasStep ?', 'const shown = Date.now() < 0 ?'],
    [`redeem(tx, deps, bearer, { passkey }, 'required')`, `redeem(tx, deps, bearer, { passkey }, 'preferred')`],
    ['const challenge = isAsked ? (answered ?? null) : null;', 'const challenge = answered ?? null;'],
    ['(await userOfGoogle(kysely, person.subject)) !== user.id', 'Date.now() < 0'],
    ['if (refused) return refused;\n    const hasStep', 'const hasStep'],
    [`(sent.second && (await checkRateLimit(deps, 'second-step', stepAsker)))`, 'undefined'],
    [`if (by !== 'password') await redeemCode(`, 'if (Date.now() < 0) await redeemCode('],
  ),
  ...of(
    'src/server/features/sessions/set-password.ts',
    ['test/server/sessions/prove-whole'],
    [`(passkey || authenticator) && provenBy === null`, 'Date.now() < 0'],
  ),
  ...of(
    'src/server/features/sessions/send-link.ts',
    ['test/server/sessions/prove'],
    [`if (!user.email_verified) return new Failure('email-unverified');`, ''],
  ),
  ...of(
    'src/server/features/sessions/set-password.ts',
    ['test/server/sessions/passwords'],
    ['before && isRecent(before.proven_at, now()) ? before.proven_by : null', 'before?.proven_by ?? null'],
    [`current === undefined && provenBy !== 'mail'`, 'current === undefined && provenBy === null'],
  ),
  ...of(
    'src/server/features/sessions/sessions.store.ts',
    ['test/server/sessions/own-sessions'],
    [
      `.set({ name })\n    .where('id', '=', id)\n    .where('user_id', '=', userId)`,
      `.set({ name })\n    .where('id', '=', id)`,
    ],
    [
      `.deleteFrom('sessions')\n    .where('id', '=', id)\n    .where('user_id', '=', userId)`,
      `.deleteFrom('sessions')\n    .where('id', '=', id)`,
    ],
  ),
  ...of(
    'src/server/features/sessions/second-step.ts',
    ['test/server/sessions/new-device'],
    [`if (user.email_verified && !isKnown)`, 'if (!isKnown)'],
    [`if (user.email_verified && !isKnown)`, 'if (user.email_verified)'],
    ['former === user.id || ', ''],
  ),
  ...of(
    'src/server/features/sessions/second-step.ts',
    ['test/server/sessions/second-step'],
    ['if (!(await needsSecondStep(tx, deps, login.user)))', 'if (Date.now() > 0)'],
    [`half.user_id ? 'preferred' : 'required'`, `'preferred'`],
    ['!half || half.user_id !== null', '!half'],
    ['if (!(user && (await takeHalfLogin(tx, half.hash, now()))))', 'if (!user)'],
  ),
  ...of(
    'src/server/features/second-factors/second-factors.store.ts',
    ['test/server/sessions/second-step'],
    [`    .where('last_step', '<', step)\n`, ''],
    ['} and hashes ? ', '} or hashes ? '],
  ),
  ...of(
    'src/server/features/second-factors/check-second-factor.ts',
    ['test/server/sessions/second-step'],
    ['(sent.userId ?? passkey.userId) === passkey.userId', 'true'],
    ['await setRemoval(tx, used, null)', 'undefined'],
  ),
  ...of(
    'src/server/features/second-factors/manage-second-factors.ts',
    ['test/server/second-factors/manage-second-factors'],
    [`if (!isFirst && !proof.hasShown) return new Failure('second-factor-needed');`, ''],
    [`proof.provenBy !== null && proof.provenBy !== 'password'`, 'true'],
    [`if (!isFirst) return isProven ? undefined : new Failure('proof-required');`, 'if (!isFirst) return undefined;'],
    ['if (isFirst) await endSessions(tx, userId, { except: sessionId });', ''],
    ['if (!(await hasSecondFactor(tx, userId))) await endSecondStep(tx, userId);', ''],
  ),
  // Its owner has a day to object.
  ...of(
    'src/server/features/second-factors/manage-second-factors.ts',
    ['test/server/second-factors/removed-by-admin'],
    ['if (endsAt || !(await hasSecondFactor(tx, userId))) return;', 'if (endsAt) return;'],
    [
      'if (endsAt || !(await hasSecondFactor(tx, userId))) return;',
      'if (!(await hasSecondFactor(tx, userId))) return;',
    ],
    [`await mailChange(tx, deps, userId, 'removal-asked');`, ''],
    ['REMOVAL_HOURS * 60 * 60_000', '0'],
  ),
  ...of(
    'src/server/features/second-factors/check-second-factor.ts',
    ['test/server/second-factors/removed-by-admin'],
    ['user.second_factor_ends_at <= deps.now()', 'true'],
  ),
  ...of(
    'src/server/features/users/admins.ts',
    ['test/server/second-factors/removed-by-admin'],
    ['if (refused) return refused;\n  await inTransaction', 'await inTransaction'],
  ),
  ...of(
    'src/domain/permissions.ts',
    ['test/server/second-factors/needed'],
    ['actor.admin && !actor.inert?.admin;', 'actor.admin;'],
    ['!isInert(actor, orgId) &&', 'true &&'],
    ['if (person.secondFactor) return undefined;', ''],
  ),
  ...of(
    'src/server/features/orgs/edit-org.ts',
    ['test/server/second-factors/needed'],
    ['if (isSwitchedOn && !actor.secondFactor)', 'if (Date.now() < 0)'],
  ),
  ...of(
    'src/server/gateways/identity/authenticator-codes.ts',
    ['test/server/second-factors/manage-second-factors'],
    ['return kept?.sub === userId ? kept.key : undefined;', 'return kept?.key;'],
  ),
  ...of(
    'src/server/gateways/identity/sealed-claims.ts',
    ['test/server/second-factors/manage-second-factors'],
    ['claims?.sub === userId && ', ''],
  ),
  ...of(
    'src/server/features/editors/add-editor.ts',
    ['test/server/editors/editors'],
    ['invitationEnd(created_at) > now', 'true'],
  ),
  ...of(
    'src/server/features/sessions/sessions.routes.ts',
    ['test/server/sessions/google'],
    [`actor?.kind === 'user' && actor.inert !== undefined`, 'false'],
  ),
  ...of(
    'src/server/config.ts',
    ['test/server/config/config'],
    [`settings.NODE_ENV === 'production' || settings.ADMINS_NEED_SECOND_STEP`, 'settings.ADMINS_NEED_SECOND_STEP'],
    [`key !== '' && !/^[sr]k_(?:live|test)_./`, `false && !/^[sr]k_(?:live|test)_./`],
    [`PUBLIC_URL !== '' && isThisMachine(PUBLIC_URL.trim())`, 'false'],
    ['new Set(secret.trim()).size < SECRET_FEWEST_CHARACTERS', 'false'],
  ),
  ...of(
    'src/server/features/pledges/pledges.routes.ts',
    ['test/server/pledges/received-checks', 'test/server/permissions/proofs'],
    [`dollars > LIKELY_PLEDGE_DOLLARS ? 'recent-proof' : undefined`, 'undefined'],
    [`    needs: 'recent-proof',\n`, ''],
  ),
  ...of(
    'src/server/features/activity/read-activity.ts',
    ['test/server/activity'],
    ['personId === undefined ? {} : presentOwn({ ...row, changes }, personId)', '{}'],
    [` ?? 'unknown';`, ' as never;'],
    ['const showsChanges = isAboutMe && (', 'const showsChanges = true || ('],
    [`isMine || row.kind === 'login-failed' ? row.client : null`, 'row.client'],
  ),
  ...of(
    'src/server/features/activity/record-activity.ts',
    ['test/server/activity'],
    ['if (answer instanceof Failure) return answer;', ''],
  ),
  ...of(
    'src/server/features/users/admins.ts',
    ['test/server/users/set-admin', 'test/server/users/grant-admin'],
    ['  await tellAdmins(tx, deps, wanted);\n', ''],
    ['if (userId !== undefined) await tellAdmins(', 'if (false) await tellAdmins(', 'test/server/users/grant-admin'],
  ),
  ...of(
    'src/server/features/sessions/own-sessions.ts',
    ['test/server/activity'],
    ['inTransaction(db, (tx) => deleteOwnSession(tx, { id, userId }))', 'deleteOwnSession(db.kysely, { id, userId })'],
  ),
  ...of(
    'src/server/features/receipts/receipts.routes.ts',
    ['test/server/activity'],
    ['recordExport(deps.db, call, await readReceiptFile(deps, source))', 'readReceiptFile(deps, source)'],
  ),
  ...of(
    'src/server/http/shed-load.ts',
    ['test/server/http/shed-load'],
    ['if (wait > 0) await pause(wait);', ''],
    ['THIS_MACHINE.includes(client) ? 0 : waitOf(client)', 'waitOf(client)'],
  ),
  ...of(
    'src/server/http/input.ts',
    ['test/server/http/deep-input'],
    ['if (isNestedTooDeeply(body)) done(', 'if (body === null) done('],
  ),
  ...of(
    'src/server/features/rate-limits/check-rate-limit.ts',
    ['test/server/rate-limits/check-rate-limit'],
    ['    refusals.get(db)?.delete(subject);\n', ''],
    ['refusal.repeatedUntil > now.getTime() ?', 'refusal.repeatedUntil < 0 ?'],
  ),
  // Who stops loses nobody, and who has no database says so at once.
  ...of(
    'src/server/http/stopping.ts',
    ['test/server/http/slow-bodies'],
    ['for (const socket of unused) socket.destroy();', ''],
    ['setTimeout(() => server.closeAllConnections(), closingMs).unref();', 'setTimeout(() => {}, closingMs).unref();'],
    ['if (isStopping) response.shouldKeepAlive = false;', '', STOPPING],
    ['await pause(waitMs);', '', STOPPING],
    ['ending.abort();', '', STOPPING],
  ),
  ...of(
    'src/server/http/health.ts',
    [STOPPING],
    [`if (app.stopping.isStopping()) return say(reply, 'stopping');`, ''],
    [`? undefined : 'the database does not answer'`, '? undefined : undefined', OUTAGE],
    [`lacksPages ? 'no pages are built' : undefined`, 'undefined', 'test/server/site/web-files'],
  ),
  ...of(
    'src/server/db/connection.ts',
    [OUTAGE],
    ['this.#isOut() ? new OutOfReachError() : undefined', 'undefined'],
    ['if (since === undefined || watched.askedAt() < since) watched.drop();', ''],
    [`set_config('statement_timeout', $1, false),`, ''],
    [`set_config('lock_timeout', $2, false)`, `$2::text is null`],
    [`set_config('idle_in_transaction_session_timeout', $3, false)`, `$3::text is null`],
    ['await watched.limit(statementLimit(this.#limits))', 'await Promise.resolve()'],
  ),
  ...of(
    'src/server/db/notifications.ts',
    [OUTAGE],
    ['setInterval(() => void look(), askEveryMs)', 'setInterval(() => {}, askEveryMs)'],
    ['if (out || !isOutOfReach(err)) return;', 'return;'],
    ['for (const channel of listeners.channels()) listeners.notify(channel, undefined);', ''],
  ),
  ...of(
    'src/server/log.ts',
    [OUTAGE],
    ['else if (!known.isOut()) void known.look()', 'else void Promise.resolve(true)'],
  ),
  ...of(
    'src/server/http/problems.ts',
    [OUTAGE],
    [`['too-busy', 'out-of-order', 'photo-not-kept']`, `['too-busy', 'photo-not-kept']`],
  ),
  ...of(
    'src/server/db/migrate.ts',
    ['test/server/db/migrate'],
    ['impatient(provider, lockMs, waiting.begin)', 'provider'],
  ),
  ...of(
    'scripts/sample/sample-rows.ts',
    ['test/server/main/sample'],
    [`.onConflict((conflict) => conflict.doNothing())`, ''],
  ),
  // What an operator gets wrong is said, and not run with.
  ...of(
    'src/server/main.ts',
    ['test/server/main/serve'],
    [`if (webFolder !== undefined && !existsSync(path.join(webFolder, 'index.html'))) {`, 'if (webFolder === "") {'],
  ),
  ...of(
    'src/server/config.ts',
    ['test/server/config'],
    [`if (code === 'ENOENT') return {};`, 'if (code) return {};'],
    ['{ ...settingsFile(), ...given(process.env) }', '{ ...settingsFile(), ...process.env }'],
  ),
  ...of(
    'src/server/measure-load.ts',
    ['test/server/http/shed-load'],
    ['process.constrainedMemory() || Number.POSITIVE_INFINITY', 'process.constrainedMemory()'],
  ),
  // Nothing private is kept, and nothing old is answered.
  ...of(
    'src/server/http/call-route.ts',
    ['test/server/pages/kept-calls'],
    ['handler.isKept && headers.authorization === undefined', 'handler.isKept'],
    ['if (admission.org) await app.kept?.changed(admission.org.id);', ''],
  ),
  ...of(
    'src/server/pages/kept-calls.ts',
    ['test/server/pages/kept-calls'],
    ['changed: (orgId) => db.changes.tell(orgId).catch(() => cache.dropOrg(orgId))', 'changed: async () => {}'],
    ['else cache.dropOrg(orgId);', ''],
    [`'authorization, accept-encoding'`, `'accept-encoding'`],
    ['if (ready.nextCursor !== undefined) void reply.header(NEXT_CURSOR_HEADER, ready.nextCursor);', ''],
  ),
  ...of(
    'src/server/db/unavailable.ts',
    ['test/server/db/unavailable'],
    ['if (!isUnavailable(error) || tries === TRIES) throw error;', 'throw error;'],
    ["if (code === '') return LOST.test(error.message);", "if (code === '') return false;"],
    ['isConnecting || NETWORK_ERRORS.has(code)', 'NETWORK_ERRORS.has(code)'],
    ['NETWORK_ERRORS.has(code) || UNREACHED.test(code)', 'NETWORK_ERRORS.has(code)'],
    ['isOutOfReach(error) || SYSTEM_ERRORS.has(codeOf(error))', 'isOutOfReach(error)'],
    [' || SQL_STATES.test(codeOf(error))', ''],
  ),
  ...of(
    'src/server/pages/cached-answers.ts',
    ['test/server/pages/cached-answers', 'test/server/pages/kept-calls'],
    [`if (method !== 'GET' || headers.authorization !== undefined)`, `if (method !== 'GET')`],
    ['return headers.origin === undefined ? encodings : ', 'return true ? encodings : '],
  ),
  ...of(
    'src/server/features/checkouts/delete-checkout.ts',
    ['test/server/checkouts/delete-checkout'],
    ['    announceAfterCommit(key.orgId);\n', ''],
  ),
  // What runs the fund is watched, and its edges bend.
  ...of(
    'src/server/features/operation/verify-books.ts',
    ['test/server/operation/figures'],
    ["if (!(await claimMark(db.kysely, 'books-begun', now, lastNight(now)))) return;", ''],
  ),
  ...of(
    'src/server/features/operation/webhook-marks.ts',
    ['test/server/operation/figures'],
    ['if (at.getTime() - complainedAt < COMPLAIN_EVERY_MS) return;', ''],
  ),
  ...of(
    'src/server/gateways/mail/smtp-mailer.ts',
    ['test/server/mail/smtp-mailer'],
    [' && !isAboutSender(error)', ''],
    ['signal: AbortSignal.timeout(withinMs),', ''],
  ),
  ...of(
    'src/server/gateways/payments/stripe-payments.ts',
    ['test/server/payments/stripe-payments'],
    ['await inTime(client.makeRequest(...request), timeout)', 'await client.makeRequest(...request)'],
    ['setTimeout(() => body.destroy(), timeout)', 'setTimeout(() => {}, timeout)'],
  ),
  ...of(
    'src/server/gateways/pictures/picture-files.ts',
    ['test/server/pictures/bucket-files'],
    ['if (file) endWhenSlow(file.stream, limits.lookEveryMs);', ''],
    ['const writing = bucketWithin(config, limits);', 'const writing = reading;'],
  ),
  ...of(
    'src/server/gateways/pictures/sharp-pictures.ts',
    ['test/server/pictures/bucket-files'],
    ['for (const key of unwanted) void discard(key);', '{}'],
  ),
  ...of(
    'src/server/features/checkouts/submit-profile.ts',
    ['test/server/checkouts/submit-profile'],
    ['if (photo && kept?.id !== id) await deps', 'if (photo) await deps'],
  ),
  ...of(
    'src/server/db/connection.ts',
    [OUTAGE],
    ['if (since === undefined) for (const refuse of this.#waiting) refuse(new OutOfReachError());', ''],
  ),
  ...of('src/web/api/refusal.ts', ['test/web/refusal'], [`'too-busy', 'out-of-order'];`, `'too-busy'];`]),
  ...of(
    'src/server/gateways/places/locationiq-places.ts',
    ['test/server/cities/locationiq-places'],
    ['if (now() < pausedUntil) return [];', ''],
  ),
];

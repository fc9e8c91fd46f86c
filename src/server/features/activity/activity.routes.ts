import type { FastifyInstance } from 'fastify';
import type { ParsedQuery } from '#contract/schemas.ts';
import { getSubjectKinds, getVisibleActivityKinds } from '#domain/activity.ts';
import { endOfDay, startOfDay, type TimeZone } from '#domain/days.ts';
import { type Action, can } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import type { ActivityFilter } from './activity.store.ts';
import { readActivity } from './read-activity.ts';

export async function activityRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'readActivity', {
    action: 'activity.read',
    handle: ({ actor, org, params, query, language }) => {
      const isAllowed = (action: Action) => can(actor, action, { orgId: params.orgid });
      const scope = {
        orgId: params.orgid,
        kinds: getVisibleActivityKinds(isAllowed),
        showsIpAddresses: isAllowed('editors.manage'),
        filter: createFilter(query, org.timeZone),
      };
      return readActivity(db, scope, { ...query, language });
    },
  });
  registerCall(app, deps, 'readAllActivity', {
    action: 'activity.read-all',
    handle: ({ query, language }) => {
      const filter = { ...createFilter(query, query.timeZone), orgId: query.orgid };
      return readActivity(db, { filter }, { ...query, language });
    },
  });
  registerCall(app, deps, 'readOwnActivity', {
    action: 'user.download',
    subject: ({ userid: userId }) => ({ ownerId: userId }),
    handle: ({ params, query, language }) => readActivity(db, { userId: params.userid }, { ...query, language }),
  });
}

type FilterQuery = Pick<ParsedQuery<'readActivity'>, 'person' | 'subject' | 'from' | 'to'>;

function createFilter({ person = '', subject, from, to }: FilterQuery, zone: TimeZone): ActivityFilter {
  return {
    person: person.trim() === '' ? undefined : person.trim(),
    kinds: subject && getSubjectKinds(subject),
    from: from === undefined ? undefined : startOfDay(from, zone),
    until: to === undefined ? undefined : endOfDay(to, zone),
  };
}

import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import type { Random } from '#scripts/seeded-random.ts';
import type { CallRequest } from '../permissions/call-rows.ts';
import { generateValue, mutate, pickHostileText } from './random-values.ts';

/** A request ready to send. */
export type SentRequest = {
  readonly method: string;
  /** Includes the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Mutation applied to a valid request. */
  readonly mutation: string;
};

type Form = { readonly fields: readonly (readonly [string, string | Blob])[] };

/** The parts of a request while it's being mutated. */
type Draft = {
  method: string;
  params: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: unknown;
  form: Form | undefined;
  rawBody: Buffer | undefined;
  path: string | undefined;
  mutation: string;
};

type Mutation = (draft: Draft, random: Random, name: CallName) => void | Promise<void>;

/** Builds a valid request, which is rejected only if the caller lacks permission, or a randomly mutated one. */
export async function buildRequest<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
  credentials: Readonly<Record<string, string>>,
  random: Random,
  isMutated: boolean,
): Promise<SentRequest> {
  const { params, query, body, form } = request;
  const draft: Draft = {
    method: CALLS[name].method,
    params: { ...params },
    query: Object.entries(query ?? {}).map(([key, value]) => [key, String(value)]),
    headers: { 'x-requested-with': 'fuzz', ...credentials },
    body,
    form: form && { fields: [...form.entries()] },
    rawBody: undefined,
    path: undefined,
    mutation: 'unchanged',
  };
  if (isMutated) {
    const { mutateDraft, mutation } = random.pick(
      MUTATIONS.filter((option) => !option.isApplicable || option.isApplicable(draft, name)),
    );
    draft.mutation = mutation;
    await mutateDraft(draft, random, name);
  }
  return encodeRequest(name, draft);
}

const isJson = ({ body }: Draft) => body !== undefined;
const isForm = ({ form }: Draft) => form !== undefined;
const hasParams = ({ params }: Draft) => Object.keys(params).length > 0;
const hasQuery = (_draft: Draft, name: CallName) => (SCHEMAS[name] as CallSchema).query !== undefined;

type MutationOption = {
  readonly mutation: string;
  readonly isApplicable?: (draft: Draft, name: CallName) => boolean;
  readonly mutateDraft: Mutation;
};

const encodeJson = (draft: Draft) => Buffer.from(JSON.stringify(draft.body));

const mutateBody: Mutation = (draft, random) => {
  for (let remaining = random.integer(1, 3); remaining > 0; remaining -= 1) draft.body = mutate(draft.body, random);
};
const generateBody: Mutation = (draft, random, name) => {
  const { body } = SCHEMAS[name] as CallSchema;
  if (body) draft.body = generateValue(body, random);
};
const mutateField: Mutation = (draft, random) => {
  const fields = [...(draft.form?.fields ?? [])];
  if (fields.length === 0) return;
  const index = random.integer(0, fields.length - 1);
  const [key = '', value = ''] = fields[index] ?? [];
  const changes: readonly (() => void)[] = [
    () => fields.splice(index, 1, [key, pickHostileText(random)]),
    () => fields.splice(index, 1),
    () => fields.push([key, value]),
    () => fields.push([pickHostileText(random) || 'x', pickHostileText(random)]),
    () => fields.splice(index, 1, [key, new Blob([pickHostileText(random)])]),
  ];
  random.pick(changes)();
  draft.form = { fields };
};

/** Each entry is equally likely. The first ones are repeated to make them more likely. */
const MUTATIONS: readonly MutationOption[] = [
  ...Array<MutationOption>(6).fill({ mutation: 'another body', isApplicable: isJson, mutateDraft: mutateBody }),
  ...Array<MutationOption>(5).fill({ mutation: 'a generated body', isApplicable: isJson, mutateDraft: generateBody }),
  ...Array<MutationOption>(6).fill({ mutation: 'another form', isApplicable: isForm, mutateDraft: mutateField }),
  ...Array<MutationOption>(3).fill({
    mutation: 'a generated query',
    isApplicable: hasQuery,
    mutateDraft: (draft, random, name) => {
      const { query } = SCHEMAS[name] as CallSchema;
      const value = query ? generateValue(query, random) : {};
      draft.query = Object.entries(value as object).map(([key, part]) => [key, String(part)]);
    },
  }),
  {
    mutation: 'another query',
    mutateDraft: (draft, random) => {
      const queryKey = draft.query.length > 0 ? random.pick(draft.query)[0] : 'max';
      const key = random.pick([queryKey, 'cursorRef', 'max', 'order', '__proto__', pickHostileText(random)]);
      for (let remaining = random.integer(1, 3); remaining > 0; remaining -= 1)
        draft.query.push([key, pickHostileText(random)]);
    },
  },
  ...Array<MutationOption>(2).fill({
    mutation: 'another id',
    isApplicable: hasParams,
    mutateDraft: (draft, random) => {
      const key = random.pick(Object.keys(draft.params));
      draft.params[key] = random.pick([
        pickHostileText(random),
        'sample',
        '..',
        '.',
        '%',
        'undefined',
        'x'.repeat(17_000),
      ]);
    },
  }),
  {
    mutation: 'a broken path',
    mutateDraft: (draft, random, name) => {
      const path =
        API_BASE + CALLS[name].path.replace(/:\w+/g, () => random.pick(['%', '%zz', '%C0%AF', '%00', '%ED%A0%80', '']));
      draft.path = path + random.pick(['', '/', '//', '/%2e%2e', ';a=b', '?', '#']);
    },
  },
  {
    mutation: 'another method',
    mutateDraft: (draft, random) => {
      draft.method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']);
    },
  },
  {
    mutation: 'no X-Requested-With',
    mutateDraft: (draft) => {
      draft.headers = Object.fromEntries(Object.entries(draft.headers).filter(([key]) => key !== 'x-requested-with'));
    },
  },
  {
    mutation: 'another token',
    mutateDraft: (draft, random) => {
      const token = draft.headers.authorization ?? 'Bearer a.b.c';
      const invalidTokens = [
        'Bearer',
        'Bearer ',
        'Basic YTpi',
        `${token}x`,
        token.slice(0, -3),
        `${token}, ${token}`,
        'é',
      ];
      draft.headers.authorization = random.pick([...invalidTokens, `Bearer ${'x'.repeat(7000)}`, token.toLowerCase()]);
    },
  },
  {
    mutation: 'another content type',
    isApplicable: isJson,
    mutateDraft: (draft, random) => {
      draft.rawBody = encodeJson(draft);
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json; charset=utf-16',
      ];
      draft.headers['content-type'] = random.pick([
        ...types,
        'application/csp-report',
        '*/*',
        'a',
        'application/jsonx',
      ]);
    },
  },
  {
    mutation: 'strange JSON',
    isApplicable: isJson,
    mutateDraft: (draft, random) => {
      const json = encodeJson(draft).toString();
      const texts = [
        json.slice(0, -1),
        `\ufeff${json}`,
        `[${json}]`,
        json + json,
        `${json} //`,
        '',
        ' ',
        'null',
        '""',
        '0',
      ];
      const object = json.startsWith('{') && json.length > 2 ? json.slice(1) : '"a":1}';
      texts.push(
        `{"__proto__":{"admin":true},${object}`,
        `{"constructor":{"prototype":{}},${object}`,
        `{"a":1,${object}`,
      );
      texts.push(json.replace(/"(\w+)":/, '"$1":null,"$1":'), `{${'"a":{'.repeat(5000)}${'}'.repeat(5001)}`);
      draft.rawBody = Buffer.from(random.pick([...texts, `{"a":${'9'.repeat(5000)}}`, `"${'x'.repeat(1_100_000)}"`]));
      draft.headers['content-type'] = 'application/json';
    },
  },
  {
    mutation: 'strange bytes',
    isApplicable: isJson,
    mutateDraft: (draft, random) => {
      const json = encodeJson(draft);
      const truncated = json.subarray(0, random.integer(0, json.length));
      draft.rawBody = random.pick([
        Buffer.concat([truncated, Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
        Buffer.from(json.toString(), 'utf16le'),
        Buffer.concat([Buffer.from([0]), json]),
      ]);
      draft.headers['content-type'] = 'application/json';
      if (random.chance(0.3)) draft.headers['content-encoding'] = random.pick(['gzip', 'br', 'x']);
    },
  },
  {
    mutation: 'an unexpected body',
    isApplicable: (draft) => !isJson(draft) && !isForm(draft),
    mutateDraft: (draft, random) => {
      draft.rawBody = Buffer.from(JSON.stringify({ [pickHostileText(random)]: pickHostileText(random) }));
      draft.headers['content-type'] = random.pick([
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
      ]);
    },
  },
  {
    mutation: 'a broken form',
    isApplicable: isForm,
    mutateDraft: async (draft, random) => {
      const { type, body } = await encodeForm(draft.form);
      const index = random.integer(0, body.length);
      draft.rawBody = random.pick([
        body.subarray(0, index),
        Buffer.concat([body.subarray(0, index), Buffer.from('\r\n--x\r\n')]),
        Buffer.alloc(0),
      ]);
      draft.headers['content-type'] = random.pick([
        type,
        'multipart/form-data',
        'multipart/form-data; boundary=',
        `${type}x`,
      ]);
    },
  },
  {
    mutation: 'strange headers',
    mutateDraft: (draft, random) => {
      const key = random.pick([
        'accept',
        'cookie',
        'if-none-match',
        'range',
        'origin',
        'x-forwarded-for',
        'x-http-method-override',
        'accept-encoding',
        'expect',
      ]);
      draft.headers[key] =
        key === 'expect'
          ? '100-continue'
          : random.pick([
              '*',
              ';;=',
              'DELETE',
              'session_token=x; session_token=y',
              'a'.repeat(4000),
              'null',
              'bytes=0-0,-1',
            ]);
    },
  },
];

async function encodeForm(form: Form | undefined) {
  const data = new FormData();
  for (const [key, value] of form?.fields ?? []) {
    if (typeof value === 'string') data.append(key, value);
    else data.append(key, value, 'photo.jpg');
  }
  const response = new Response(data);
  return { type: response.headers.get('content-type') ?? '', body: Buffer.from(await response.arrayBuffer()) };
}

async function encodeRequest(name: CallName, draft: Draft): Promise<SentRequest> {
  const { method, headers, mutation } = draft;
  const path =
    draft.path ??
    API_BASE + CALLS[name].path.replace(/:(\w+)/g, (_, key: string) => encodeText(draft.params[key] ?? ''));
  const query = draft.query.map(([key, value]) => `${encodeText(key)}=${encodeText(value)}`).join('&');
  const url = query === '' ? path : `${path}?${query}`;
  if (draft.rawBody) return { method, url, headers, body: draft.rawBody, mutation };
  if (draft.form) {
    const { type, body } = await encodeForm(draft.form);
    return { method, url, headers: { 'content-type': type, ...headers }, body, mutation };
  }
  if (draft.body === undefined) return { method, url, headers, body: undefined, mutation };
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: encodeJson(draft),
    mutation,
  };
}

/** Half a surrogate pair isn't valid text in UTF-8. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

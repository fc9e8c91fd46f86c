import { API_BASE } from '#contract/calls.ts';
import { formatProblemTitle } from '#contract/problem.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import { FAILURES, failureSentence } from '#domain/server-failures.ts';
import { createStylePolicy, Html, html } from '#server/http/html.ts';
import type { ApiDocument, Media, Operation } from './api-document.ts';
import { getStatus } from './problems.ts';

const STYLE = `
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: #1f2a25; background: #fff }
h2 { margin-top: 2.5rem } h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem } code, pre { font: 0.875rem/1.45 ui-monospace, monospace }
pre { overflow: auto; max-height: 24rem; padding: 0.75rem; background: #f3f6f4 } p { margin: 0.25rem 0 } li { margin: 0.25rem 0 }
table { border-collapse: collapse; display: block; overflow: auto } td, th { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top }
`;

const POLICY = createStylePolicy(STYLE);

/** Renders the API documentation as a single-file page. */
export function renderApiDocs(document: ApiDocument): { content: string; policy: string } {
  const { info, tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name }) => {
    const tagOperations = operations.filter(({ operation }) => operation.tags.includes(name));
    return html`<section id="tag-${name}"><h2>${name}</h2>${tagOperations.map((tagOperation) => renderOperation(tagOperation))}</section>`;
  });
  const content = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title><style>${new Html(STYLE)}</style><link rel="icon" href="data:,"></head>
<body><main><h1>${info.title} API</h1><p>${info.description}</p>
<p>Request this address as <code>application/json</code> to get an OpenAPI ${document.openapi} document.</p>
<ul>${tags.map(({ name }) => html`<li><a href="#tag-${name}">${name}</a></li>`)}<li><a href="#schemas">Schemas</a></li><li><a href="#problems">Problems</a></li></ul>
${sections}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => renderSchema(name, schema))}
<h2 id="problems">Problems</h2>
<p>A rejected call returns <code>application/problem+json</code> (RFC 9457) with one of these codes.</p>
<table><tr><th>Code</th><th>Status</th><th>Title</th><th>Detail</th></tr>${renderProblemRows()}</table>
</main></body></html>
`.text;
  return { content, policy: POLICY };
}

type ListedOperation = { readonly path: string; readonly method: string; readonly operation: Operation };

function renderOperation({ path, method, operation }: ListedOperation): Html {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation;
  const needsToken = security.length === 1 && 'bearer' in (security[0] ?? {});
  const parameterList = parameters.map(
    ({ name, in: location, required, description: text }) =>
      html`<li><code>${name}</code>, in the ${location}${required ? ', required' : ''}${text ? `: ${text}` : ''}</li>`,
  );
  const response = responses['200'];
  return html`<h3 id="${operationId}">${summary}</h3>
<p><code>${method.toUpperCase()} ${API_BASE}${path}</code>${needsToken ? ' – needs a token' : ''}</p>
${description ? html`<p>${description}</p>` : ''}
<ul>${parameterList}</ul>
${requestBody ? renderContent('Request', requestBody.content) : ''}
${response && 'content' in response && response.content ? renderContent('Response', response.content) : ''}`;
}

function renderContent(title: string, content: Media): Html {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content);
  const name = '$ref' in schema ? String(schema.$ref).split('/').at(-1) : undefined;
  return html`<p>${title}: ${type}${name ? html`, <a href="#schema-${name}">${name}</a>` : ''}</p>`;
}

function renderSchema(name: string, schema: object): Html {
  return html`<h3 id="schema-${name}">${name}</h3><pre>${JSON.stringify(schema, null, 2)}</pre>`;
}

function renderProblemRows(): Html[] {
  return (Object.keys(FAILURES) as FailureCode[]).map(
    (code) =>
      html`<tr id="${code}"><td><code>${code}</code></td><td>${getStatus(code)}</td><td>${formatProblemTitle(code)}</td><td>${failureSentence(new Failure(code))}</td></tr>`,
  );
}

// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { pageContext } from '#test/support/render-element.ts';
import { App } from '#web/app/app.tsx';
import type { Screen } from '#web/app/screens.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { memoryHistory } from '#web/navigation/site-history.ts';

afterEach(cleanup);

function screenOf(element: () => ReactElement): Screen {
  const content = { kind: 'page' as const, module: 'test', data: {}, element };
  return { name: undefined, org: undefined, site: undefined, content };
}

function Broken(): ReactElement {
  throw new Error('This page does not render.');
}

test('trying again after a page failed to render shows the page that then loads', async () => {
  const screens = [screenOf(() => <Broken />), screenOf(() => <p>Here again</p>)];
  const navigator = createNavigator<Screen>({
    history: memoryHistory('/a'),
    load: async () => screens.shift() ?? screenOf(() => <Broken />),
    first: screenOf(() => <Broken />),
  });
  render(<App context={pageContext()} navigator={navigator} />, { onCaughtError: () => {} });
  const tryAgain = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  await tryAgain();
  expect(screen.queryByText('Here again')).toBeNull();
  await tryAgain();
  expect(screen.getByText('Here again')).toBeTruthy();
});

import type { ReactNode } from 'react';
import type { PageName } from '#contract/pages.ts';
import {
  type OrgPageName,
  type OrgPageProps,
  orgPage,
  type PageGuard,
  type PageInput,
  type PageRoute,
  type SitePageProps,
} from './page.ts';
import { sitePage } from './site-page.ts';

type GuardedPage<Name extends PageName, FrameProps, Props extends object> = {
  /** Permission to open the page. */
  readonly can: PageGuard;
  readonly component: () => Promise<(props: FrameProps & Props) => ReactNode>;
  /** The page's own props, from its address and the session. */
  readonly props?: (input: PageInput<Name>) => Props;
  /** Loads the page's queries, so that the page renders with its data. */
  readonly load?: (input: PageInput<Name>, props: Props) => Promise<unknown>;
};

/** An organization page that requires a permission. */
export function guardedOrgPage<Name extends OrgPageName, Props extends object>(
  name: Name,
  page: GuardedPage<Name, OrgPageProps, Props>,
): PageRoute {
  return { guard: page.can, ...orgPage<Name, Props>(name, page.component, createLoader(page)) };
}

/** A page outside of any organization that requires a permission. */
export function guardedSitePage<Name extends Exclude<PageName, OrgPageName>, Props extends object>(
  name: Name,
  page: GuardedPage<Name, SitePageProps, Props>,
): PageRoute {
  return { guard: page.can, ...sitePage<Name, Props>(name, page.component, createLoader(page)) };
}

function createLoader<Name extends PageName, Props extends object>({
  props,
  load,
}: Pick<GuardedPage<Name, never, Props>, 'props' | 'load'>): (input: PageInput<Name>) => Promise<Props> {
  return async (input) => {
    // A component that uses only the frame's props has no other props.
    const ownProps = props?.(input) ?? ({} as Props);
    await load?.(input, ownProps);
    return ownProps;
  };
}

import type { ReactNode } from 'react';
import { PageHead, type PageHeadProps } from '#web/ui/page-head.tsx';
import { LeaveDialog, type LeaveGuard } from './leave-guard.tsx';

type FormPageProps = PageHeadProps & {
  /** Result of useLeaveGuard. */
  leaveGuard: Pick<LeaveGuard, 'proceed' | 'stay'>;
  children: ReactNode;
};

/** A page with forms that asks for confirmation before unsaved changes are lost. */
export function FormPage({ title, subtitle, actions, leaveGuard, children }: FormPageProps) {
  return (
    <>
      <PageHead title={title} subtitle={subtitle} actions={actions} />
      {children}
      <LeaveDialog proceed={leaveGuard.proceed} stay={leaveGuard.stay} />
    </>
  );
}

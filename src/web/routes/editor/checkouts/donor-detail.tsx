import { pagePath } from '#contract/pages.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { Detail } from '#web/ui/list-parts.tsx';

type DonorDetailProps = { orgId: string; donorId: string | null; name: string };

/** A gift's donor, with a link to all of the donor's gifts. */
export function DonorDetail({ orgId, donorId, name }: DonorDetailProps) {
  const canRead = useCan(orgId)('donors.read');
  if (donorId === null || !canRead) return null;
  return (
    <Detail name="Donor">
      <Link to={pagePath('donor-page', { orgid: orgId, donorid: donorId })}>{name}</Link>
    </Detail>
  );
}

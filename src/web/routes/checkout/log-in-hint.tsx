import { Link } from '#web/navigation/link.tsx';
import { loginAddress } from '#web/navigation/login-address.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';

/**
 * The way to sign in and back, for whoever is signed out (§2). Until it is known who is there it stands as for a
 * visitor: what came later would move the form under the hand that fills it in.
 */
export function LogInHint() {
  const address = useAddress();
  const { authenticated } = useSession();
  if (authenticated) return null;
  return (
    <p>
      Already have an account? <Link to={loginAddress(address)}>Log in.</Link>
    </p>
  );
}

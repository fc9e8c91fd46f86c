import { useSession } from '../app-context.ts';
import { Link } from '../navigation/link.tsx';
import { loginAddress } from '../navigation/login-address.ts';
import { useAddress } from '../navigation/use-navigator.ts';

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

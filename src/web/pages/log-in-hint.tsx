import { useSession } from '../app-context.ts';
import { Link } from '../navigation/link.tsx';
import { loginAddress } from '../navigation/login-address.ts';
import { useAddress } from '../navigation/use-navigator.ts';

/** The way to sign in and back, for whoever is signed out (§2). */
export function LogInHint() {
  const address = useAddress();
  const { initialized, authenticated } = useSession();
  if (!initialized || authenticated) return null;
  return (
    <p>
      Already have an account? <Link to={loginAddress(address)}>Log in.</Link>
    </p>
  );
}

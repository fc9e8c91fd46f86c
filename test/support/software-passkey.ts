import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { BodyInput } from '#contract/schemas.ts';

type Challenge = { readonly challenge: string };
type PasskeyOptions = {
  /** The page's origin. The passkey is for its host. */
  readonly origin: string;
  /** True if the device verified its owner. */
  readonly verified?: boolean;
};

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 0x40;

/** A device with one passkey, which signs any challenge. */
export function createSoftwarePasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(16);
  const id = rawId.toString('base64url');
  let counter = 0;
  const buildAuthenticatorData = (
    { origin, verified = true }: PasskeyOptions,
    flags: number,
    extra = Buffer.alloc(0),
  ) => {
    counter += 1;
    const header = Buffer.alloc(5);
    header.writeUInt8(USER_PRESENT | (verified ? USER_VERIFIED : 0) | flags);
    header.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(new URL(origin).hostname), header, extra]);
  };
  const signedCredential = { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
  return {
    id,
    create: ({ challenge }: Challenge, options: PasskeyOptions): BodyInput<'addPasskey'>['passkey'] => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const credential = Buffer.concat([
        Buffer.alloc(16),
        length,
        rawId,
        encodeCoseKey(publicKey.export({ format: 'jwk' })),
      ]);
      const authData = buildAuthenticatorData(options, HAS_CREDENTIAL, credential);
      const clientDataJSON = encodeClientData('webauthn.create', challenge, options).toString('base64url');
      const attestationObject = encodeAttestationObject(authData).toString('base64url');
      return { ...signedCredential, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },
    authenticate: ({ challenge }: Challenge, options: PasskeyOptions): BodyInput<'signInWithPasskey'>['passkey'] => {
      const authenticatorData = buildAuthenticatorData(options, 0);
      const client = encodeClientData('webauthn.get', challenge, options);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey);
      const [clientDataJSON, data, encodedSignature] = [client, authenticatorData, signature].map((bytes) =>
        bytes.toString('base64url'),
      );
      return {
        ...signedCredential,
        response: {
          clientDataJSON: clientDataJSON ?? '',
          authenticatorData: data ?? '',
          signature: encodedSignature ?? '',
        },
      };
    },
  };
}

function encodeClientData(type: string, challenge: string, { origin }: PasskeyOptions): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** CBOR for an elliptic curve key with two coordinates, for ES256. */
function encodeCoseKey({ x = '', y = '' }: JsonWebKey): Buffer {
  const encodeCoordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    encodeCoordinate(0x21, x),
    encodeCoordinate(0x22, y),
  ]);
}

/** CBOR for { fmt: 'none', attStmt: {}, authData }. */
function encodeAttestationObject(authData: Buffer): Buffer {
  const length = Buffer.alloc(3);
  length.writeUInt8(0x59);
  length.writeUInt16BE(authData.length, 1);
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    length,
    authData,
  ]);
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

"""A second verifier, written from docs/proof.md alone. It needs Python 3.9 and nothing else.

    python3 verify_gift.py [--key HEX] FILE ...    says of each file whether it is accepted, and why not
"""

import hashlib
import json
import re
import sys

LARGEST = 2**53 - 1
PARTS = 8
LONGEST_PATH = 106
MOST_HEADS = 1000


class Refused(Exception):
    pass


def need(condition, reason):
    if not condition:
        raise Refused(reason)


# Ed25519, RFC 8032 section 5.1, for checking only.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def plus(a, b):
    """Points in extended coordinates."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(n, point):
    result = (0, 1, 1, 0)
    while n > 0:
        if n & 1:
            result = plus(result, point)
        point = plus(point, point)
        n >>= 1
    return result


def point_of(encoded):
    """The point that 32 bytes name; None if they name none."""
    y = int.from_bytes(encoded, "little")
    sign = y >> 255
    y &= 2**255 - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    a, r = point_of(key), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = times(s, BASE), plus(r, times(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# Bytes


def sha256(data):
    return hashlib.sha256(data).digest()


def u64(n):
    return n.to_bytes(8, "big")


def text(s):
    return len(s).to_bytes(4, "big") + s.encode("ascii")


def sums_bytes(sums):
    return b"".join(u64(each) for each in sums)


def added(a, b):
    result = tuple(x + y for x, y in zip(a, b))
    need(max(result) <= LARGEST, "a sum is too large")
    return result


# What a file holds


def members(value, names):
    need(isinstance(value, dict) and set(value) == set(names), "an object has other members")
    return [value[name] for name in names]


def list_of(value, least, most):
    need(isinstance(value, list) and least <= len(value) <= most, "a list is missing or has another length")
    return value


def as_text(value, least=1):
    need(
        isinstance(value, str) and least <= len(value) <= 200 and all(" " <= c <= "~" for c in value),
        "a text is missing or has other characters",
    )
    return value


def as_number(value, signed=False):
    pattern = r"0|-?[1-9][0-9]{0,15}" if signed else r"0|[1-9][0-9]{0,15}"
    need(isinstance(value, str) and re.fullmatch(pattern, value), "a number is not written as one")
    need(abs(int(value)) <= LARGEST, "a number is too large")
    return int(value)


def as_bytes(value, length):
    need(
        isinstance(value, str) and re.fullmatch("[0-9a-f]*", value) and len(value) == 2 * length,
        "bytes are not written as such",
    )
    return bytes.fromhex(value)


def as_sums(value):
    return tuple(as_number(each) for each in list_of(value, 4, 4))


def as_day(value):
    day = as_text(value)
    need(re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", day), "a day is not written as one")
    return day


def as_money(value):
    need(value in ("live", "test"), "the kind of money is unknown")
    return value


def as_path(value):
    """Sums and hashes; what sizes they have follows from where they are."""
    nodes = []
    for each in list_of(value, 0, LONGEST_PATH):
        data = as_bytes(each, 64)
        sums = tuple(int.from_bytes(data[i : i + 8], "big") for i in range(0, 32, 8))
        need(max(sums) <= LARGEST, "a sum is too large")
        nodes.append((sums, data[32:]))
    return nodes


# The tree: a node is its size, sums and hash


def join(left, right):
    need(left[0] + right[0] <= LARGEST, "a size is too large")
    data = b"".join(u64(size) + sums_bytes(sums) + digest for size, sums, digest in (left, right))
    return (left[0] + right[0], added(left[1], right[1]), sha256(b"\x01" + data))


def split_of(n):
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def root_of(leaf, m, n, path):
    if n == 1:
        need(not path, "a path is too long")
        return leaf
    k = split_of(n)
    need(path, "a path is too short")
    *rest, last = path
    if m < k:
        return join(root_of(leaf, m, k, rest), (n - k, *last))
    return join((k, *last), root_of(leaf, m - k, n - k, rest))


def need_consistency(old, new, path):
    """Of two heads, as (size, sums, root hash)."""
    if old[0] == new[0]:
        need(not path, "a path is too long")
        need(old == new, "two trees of one size differ")
        return
    need(old[0] < new[0], "a tree has become smaller")
    rest = list(path)

    def following(size):
        need(rest, "a path is too short")
        return (size, *rest.pop(0))

    def both(m, n, known):
        if m == n:
            node = old if known else following(n)
            return node, node
        k = split_of(n)
        if m <= k:
            before, after = both(m, k, known)
            return before, join(after, following(n - k))
        before, after = both(m - k, n - k, False)
        left = following(k)
        return join(left, before), join(left, after)

    before, after = both(old[0], new[0], True)
    need(not rest, "a path is too long")
    need(before == old and after == new, "a later tree does not hold the one before")


# Heads and files

HEAD = ("organization", "money", "zone", "day", "size", "sums", "root", "previous", "key", "signature")


class Head:
    def __init__(self, value, expected_key):
        organization, money, zone, day, size, sums, root, previous, key, signature = members(value, HEAD)
        self.organization, self.money, self.day = as_text(organization), as_money(money), as_day(day)
        self.size, self.sums, self.root = as_number(size), as_sums(sums), as_bytes(root, 32)
        need(self.size >= PARTS and self.size % PARTS == 0, "a head has another size")
        self.previous, self.key = as_bytes(previous, 32), as_bytes(key, 32)
        data = (
            b"\x03"
            + text("climate-fund-head-1")
            + text(self.organization)
            + text(self.money)
            + text(as_text(zone))
            + text(self.day)
            + u64(self.size)
            + sums_bytes(self.sums)
            + self.root
            + self.previous
            + self.key
        )
        self.hash = sha256(data)
        need(expected_key in (None, self.key), "a head has another key")
        need(is_signed(self.key, data, as_bytes(signature, 64)), "a signature is wrong")

    def node(self):
        return (self.size, self.sums, self.root)


def need_order(old, new, path, is_new_key=False):
    same = (old.organization, old.money) == (new.organization, new.money)
    need(same and (old.key != new.key) == is_new_key, "two heads are not of one chain")
    need(old.day < new.day, "days do not rise")
    need_consistency(old.node(), new.node(), path)


ENTRY = ("kind", "fact", "receipt", "date", "cents", "pounds", "salt")


def verify_proof(file, key):
    _, head_value, entry, parts = members(file, ("format", "head", "entry", "parts"))
    head = Head(head_value, key)
    kind, fact, receipt, date, cents, pounds, salt = members(entry, ENTRY)
    cents, pounds, salt = as_number(cents, True), as_number(pounds, True), as_bytes(salt, 32)
    own = (max(cents, 0), max(-cents, 0), max(pounds, 0), max(-pounds, 0))
    texts = (head.organization, head.money, as_text(kind), as_text(fact), as_text(receipt, 0), as_day(date))
    stated = b"".join(map(text, texts)) + sums_bytes(own)
    total, indexes = (0, 0, 0, 0), set()
    for j, part in enumerate(list_of(parts, PARTS, PARTS)):
        index, sums, path = members(part, ("index", "sums", "path"))
        index, sums = as_number(index), as_sums(sums)
        need(index < head.size and index not in indexes, "a part is at a wrong place")
        indexes.add(index)
        total = added(total, sums)
        leaf = (1, sums, sha256(b"\x00" + sums_bytes(sums) + sha256(b"\x02" + salt + u64(j) + stated)))
        need(root_of(leaf, index, head.size, as_path(path)) == head.node(), "a part is not in the tree")
    need(total == own, "the parts do not add up to the entry")


def verify_chain(file, key):
    _, heads, paths = members(file, ("format", "heads", "paths"))
    heads = [Head(each, key) for each in list_of(heads, 1, MOST_HEADS)]
    paths = list_of(paths, len(heads) - 1, len(heads) - 1)
    for old, new, path in zip(heads, heads[1:], paths):
        need(new.previous == old.hash, "a head does not follow the one before")
        need_order(old, new, as_path(path))


def verify_consistency(file, key):
    _, old, new, path = members(file, ("format", "from", "to", "path"))
    need_order(Head(old, key), Head(new, key), as_path(path))


def verify_keys(file, key):
    _, changes = members(file, ("format", "changes"))
    for change in list_of(changes, 1, MOST_HEADS):
        old, new, path, signature = members(change, ("from", "to", "path", "signature"))
        old, new = Head(old, key), Head(new, None)
        need(new.previous == old.hash, "a head does not follow the one before")
        stated = b"\x04" + text("climate-fund-key-1") + old.key + new.key
        need(is_signed(old.key, stated, as_bytes(signature, 64)), "a signature is wrong")
        need_order(old, new, as_path(path), True)
        key = new.key


FORMATS = {
    "climate-fund-proof-1": verify_proof,
    "climate-fund-heads-1": verify_chain,
    "climate-fund-consistency-1": verify_consistency,
    "climate-fund-keys-1": verify_keys,
}


def verify(data, key=None):
    """Raises Refused with the reason."""
    try:
        file = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refused("the file is not JSON") from None
    need(isinstance(file, dict), "an object has other members")
    format = file.get("format")
    need(isinstance(format, str) and format in FORMATS, "the format is unknown")
    FORMATS[format](file, key)


def main(arguments):
    key = None
    if arguments[:1] == ["--key"]:
        key, arguments = bytes.fromhex(arguments[1]), arguments[2:]
    refused = False
    for name in arguments:
        try:
            with open(name, "rb") as opened:
                verify(opened.read(), key)
            print(f"{name}: accepted")
        except Refused as reason:
            refused = True
            print(f"{name}: refused: {reason}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

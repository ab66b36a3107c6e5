"""Forges ID tokens with jwcrypto (or manually if jwcrypto rejects them) and prints each as JSON with its key set and
joserfc's verdict. The expected verdicts are in the Swift test."""
import base64, hashlib, json, sys, warnings

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from joserfc import jwt as joset
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry
from jwcrypto import jwk, jws

warnings.simplefilter("ignore")
NOW = 1_770_000_000
ISSUER, CLIENT, NONCE = "https://idp.lampost.test", "lampost-cli", "n-1"
AT = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
ALL = ["RS256", "PS256", "ES256", "ES256K", "EdDSA", "HS256", "none"]


def b64(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else data.encode()).rstrip(b"=").decode()


def public(key):
    return json.loads(key.export_public())


private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
pem = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
KEY = jwk.JWK.from_pem(pem)
KEY.update(kid="lamp-1", alg="RS256", use="sig")
OTHER = jwk.JWK.generate(kty="RSA", size=2048, kid="lamp-2", alg="RS256", use="sig")
EC = jwk.JWK.generate(kty="EC", crv="P-256", kid="lamp-ec", alg="ES256", use="sig")
ED = jwk.JWK.generate(kty="OKP", crv="Ed25519", kid="lamp-ed", use="sig")
SMALL = jwk.JWK.generate(kty="RSA", size=1024, kid="lamp-small")
KEYS = {"keys": [public(KEY)]}
HEAD = {"alg": "RS256", "kid": "lamp-1", "typ": "JWT"}


def body(**claims):
    whole = {"iss": ISSUER, "aud": CLIENT, "sub": "u-5521", "iat": NOW, "exp": NOW + 600, "nonce": NONCE, **claims}
    return {name: value for name, value in whole.items() if value is not ...}


def forge(key=KEY, header=HEAD, **claims):
    token = jws.JWS(json.dumps(body(**claims)))
    token.allowed_algs = ALL
    token.add_signature(key, None, json.dumps(header), None)
    return token.serialize(compact=True)


def by_hand(header, payload):
    """Signs any two texts with the first key."""
    signed = f"{b64(header)}.{b64(payload)}"
    return f"{signed}.{b64(private.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def verdict(token, keys, algorithms, now):
    try:
        found = joset.decode(token, KeySet.import_key_set(keys), algorithms=algorithms)
        JWTClaimsRegistry(
            now=lambda: now, iss={"essential": True, "value": ISSUER}, aud={"essential": True, "value": CLIENT},
            exp={"essential": True}, nonce={"essential": True, "value": NONCE}, sub={"essential": True},
        ).validate(found.claims)
        return True
    except Exception:
        return False


cases = []


def case(name, token, keys=KEYS, algorithms=("RS256", "ES256"), shift=0):
    """`shift`: seconds to move joserfc's clock, which has no clock allowance, to the end of the plugin's allowance."""
    cases.append({"name": name, "token": token, "keys": keys, "algorithms": list(algorithms),
                  "joserfc": verdict(token, keys, list(algorithms), NOW + shift)})


def header(**members):
    whole = {**HEAD, **members}
    return {name: value for name, value in whole.items() if value is not ...}


good = forge()
head, payload, signature = good.split(".")
text = json.dumps(body())
case("good", good)
case("good ES256", forge(EC, {"alg": "ES256", "kid": "lamp-ec"}), {"keys": [public(EC)]})
case("good PS256", forge(jwk.JWK.from_pem(pem), {"alg": "PS256"}), {"keys": [public(jwk.JWK.from_pem(pem))]}, ["PS256"])
case("good EdDSA", forge(ED, {"alg": "EdDSA", "kid": "lamp-ed"}), {"keys": [public(ED)]}, ["EdDSA"])
case("good at_hash", forge(at_hash=b64(hashlib.sha256(AT.encode()).digest()[:16])))
case("typ in lower case", forge(header=header(typ="jwt")))
case("no typ", forge(header=header(typ=...)))

case("none without signature", f'{b64(json.dumps({"alg": "none"}))}.{payload}.')
case("none with signature", f'{b64(json.dumps({"alg": "none", "kid": "lamp-1"}))}.{payload}.{signature}')
for name, secret in {"PEM": KEY.export_to_pem(),
                     "DER": private.public_key().public_bytes(
                         serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo),
                     "modulus": base64.urlsafe_b64decode(public(KEY)["n"] + "==")}.items():
    case(f"HS256 with the {name}", forge(jwk.JWK(kty="oct", k=b64(secret)), header(alg="HS256")))
case("PS256 under an RS256 key", forge(jwk.JWK.from_pem(pem), header(alg="PS256")), algorithms=["RS256", "PS256"])
case("RS256 under an EC key", forge(header=header(kid="lamp-ec")), {"keys": [public(EC)]})
case("algorithm not allowed", forge(ED, {"alg": "EdDSA", "kid": "lamp-ed"}), {"keys": [public(ED)]})
case("payload changed", f'{head}.{b64(json.dumps(body(sub="root")))}.{signature}')
case("signature cut", f"{head}.{payload}.{b64(base64.urlsafe_b64decode(signature + '==')[:-1])}")
case("signature empty", f"{head}.{payload}.")
case("another key under this name", forge(jwk.JWK(**{**json.loads(OTHER.export()), "kid": "lamp-1"})))

case("unknown kid", forge(header=header(kid="lamp-9")))
case("kid of another key", forge(header=header(kid="lamp-2")), {"keys": [public(KEY), public(OTHER)]})
case("no kid, one key", forge(header=header(kid=...)))
case("no kid, several keys", forge(header=header(kid=...)), {"keys": [public(OTHER), public(KEY)]})
case("kid is a number", by_hand(json.dumps(header(kid=1)), text))
case("key without kid", forge(header=header(kid=...)), {"keys": [{k: v for k, v in public(KEY).items() if k != "kid"}]})
case("key for encryption", good, {"keys": [{**public(KEY), "use": "enc"}]})
case("key_ops without verify", good, {"keys": [{**{k: v for k, v in public(KEY).items() if k != "use"}, "key_ops": ["encrypt"]}]})
case("key_ops with verify", good, {"keys": [{**{k: v for k, v in public(KEY).items() if k != "use"}, "key_ops": ["verify"]}]})
case("RSA 1024", forge(SMALL, {"alg": "RS256", "kid": "lamp-small"}), {"keys": [public(SMALL)]})
case("private key in the set", good, {"keys": [json.loads(KEY.export())]})
odd = [{"kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0", "kid": "o"},
       public(jwk.JWK.generate(kty="OKP", crv="X25519", kid="x")),
       public(jwk.JWK.generate(kty="EC", crv="secp256k1", kid="k")), public(SMALL),
       {**public(OTHER), "alg": "RSA-OAEP-256"}, {"kty": "EC", "crv": "P-256", "kid": "half"}, {"kty": "new"}]
case("among keys of no use", good, {"keys": odd + [public(KEY)]})
case("empty set", good, {"keys": []})

case("crit", by_hand(json.dumps(header(crit=["exp"], exp=1)), text))
case("zip", by_hand(json.dumps(header(zip="DEF")), text))
case("typ at+jwt", forge(header=header(typ="at+jwt")))
case("jku", forge(header=header(jku="https://evil.test/keys")))
case("own key in the header", forge(OTHER, header(jwk=public(OTHER))))
case("own key in the header, ours signed", forge(header=header(jwk=public(OTHER))))
case("two alg", by_hand('{"alg":"none","alg":"RS256","kid":"lamp-1"}', text))
case("two aud, ours last", by_hand(json.dumps(HEAD), text[:-1] + ', "aud": "evil", "aud": "%s"}' % CLIENT))
case("two aud, ours first", by_hand(json.dumps(HEAD), text[:-1] + ', "aud": "evil"}'))
case("two names inside", by_hand(json.dumps(HEAD), text[:-1] + ', "x": {"a": 1, "a": 2}}'))
case("byte order mark", by_hand(json.dumps(HEAD), "\ufeff" + text))
case("claims are an array", by_hand(json.dumps(HEAD), f"[{text}]"))
case("17 levels", by_hand(json.dumps(HEAD), text[:-1] + ', "x": ' + "[" * 16 + "]" * 16 + "}"))
case("16 levels", by_hand(json.dumps(HEAD), text[:-1] + ', "x": ' + "[" * 15 + "]" * 15 + "}"))
case("not UTF-8", by_hand(json.dumps(HEAD).encode(), text.encode()[:-1] + b', "x": "\xff"}'))
case("padding", f"{head}.{payload}.{signature}==")
case("unused bits", good[:-1] + chr(ord(good[-1]) + 1))
case("line end", good + "\n")
case("four parts", good + ".")
case("five parts", good + "..")
case("two parts", f"{head}.{payload}")
case("17 KiB", forge(x="x" * 17_000))
case("15 KiB", forge(x="x" * 10_000))

case("iss of another", forge(iss="https://evil.test"))
case("iss with a slash", forge(iss=ISSUER + "/"))
case("iss in capitals", forge(iss=ISSUER.upper()))
case("iss missing", forge(iss=...))
case("iss is a list", forge(iss=[ISSUER]))
case("aud of another", forge(aud="someone-else"))
case("aud missing", forge(aud=...))
case("aud empty list", forge(aud=[]))
case("aud list of one", forge(aud=[CLIENT]))
case("aud list of another", forge(aud=["someone-else"]))
case("aud list of a text and a number", forge(aud=[CLIENT, 5]))
case("aud number", forge(aud=5))
case("aud two without azp", forge(aud=[CLIENT, "friend"]))
case("aud two with azp", forge(aud=[CLIENT, "friend"], azp=CLIENT))
case("aud two, one not trusted", forge(aud=[CLIENT, "stranger"], azp=CLIENT))
case("azp ours", forge(azp=CLIENT))
case("azp of another", forge(azp="someone-else"))
for at in (-61, -60, -59, 0, 60):
    case(f"exp {at:+}", forge(exp=NOW + at, iat=NOW - 300), shift=-60)
for at in (-60, 0, 60, 61):
    case(f"nbf {at:+}", forge(nbf=NOW + at), shift=60)
for at in (-601, -600, 0, 60, 61):
    case(f"iat {at:+}", forge(iat=NOW + at), shift=60)
case("exp missing", forge(exp=...))
case("exp text", forge(exp=str(NOW + 600)))
case("exp fraction", forge(exp=NOW + 600.5))
case("exp huge", by_hand(json.dumps(HEAD), text[:-1].replace(f'"exp": {NOW + 600}', '"exp": 1e400') + "}"))
case("exp 2^53", forge(exp=2**53))
case("exp negative", forge(exp=-5), shift=-60)
case("nbf text", forge(nbf=str(NOW)))
case("iat missing", forge(iat=...))
case("nonce missing", forge(nonce=...))
case("nonce of another", forge(nonce="n-2"))
case("nonce number", forge(nonce=1))
case("sub missing", forge(sub=...))
case("sub empty", forge(sub=""))
case("sub of 255", forge(sub="u" * 255))
case("sub of 256", forge(sub="u" * 256))
case("sub not ASCII", forge(sub="ü"))
case("sub number", forge(sub=5))
case("at_hash of another", forge(at_hash="AAAAAAAAAAAAAAAAAAAAAA"))
case("c_hash of another", forge(c_hash="AAAAAAAAAAAAAAAAAAAAAA"))
case("auth_time text", forge(auth_time="now"))

json.dump(cases, sys.stdout)

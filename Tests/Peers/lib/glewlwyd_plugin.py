"""The settings of Glewlwyd's OpenID Connect plugin, as its administration API takes them: everything on, little asked."""

import os

import starter

SCOPES = ["openid", "profile", "email", "offline_access", "read", "write"]
RESOURCE = "https://api.example.test/"


def parameters(issuer, private_key, public_key):
    """The plugin's parameters; both keys are PEM."""
    return {
        "iss": issuer,
        "jwt-type": "rsa",
        "jwt-key-size": "256",
        "key": private_key,
        "cert": public_key,
        "jwks-show": True,
        "access-token-duration": starter.ACCESS_TOKEN_SECONDS,
        "refresh-token-duration": 1209600,
        "refresh-token-rolling": True,
        "refresh-token-one-use": "always" if starter.ROTATE else "never",
        "code-duration": 600,
        "allow-non-oidc": True,
        "allowed-scope": SCOPES,
        "scope": [],
        "claims": [],
        "additional-parameters": [],
        "name-claim": "mandatory",
        "email-claim": "mandatory",
        "scope-claim": "no",
        "address-claim": {"type": "no"},
        **_GRANTS,
        **_REQUESTS,
        **_CLIENTS,
        "device-authorization-interval": starter.DEVICE_INTERVAL,
        "device-authorization-expiration": starter.DEVICE_SECONDS,
        "client-cert-source": "TLS" if starter.TLS else "no",
        "client-cert-use-endpoint-aliases": os.environ.get("MTLS_ALIASES") == "1",
        "oauth-dpop-nonce-mandatory": os.environ.get("DPOP_NONCE") == "1",
    }


_GRANTS = {
    "auth-type-code-enabled": True,
    "auth-type-code-revoke-replayed": True,
    "auth-type-token-enabled": False,
    "auth-type-id-token-enabled": True,
    "auth-type-none-enabled": False,
    "auth-type-password-enabled": True,
    "auth-type-client-enabled": True,
    "auth-type-refresh-enabled": True,
    "auth-type-device-enabled": True,
}

_REQUESTS = {
    "pkce-allowed": True,
    "pkce-method-plain-allowed": False,
    "pkce-required": False,
    "pkce-required-public-client": True,
    "pkce-scopes": [],
    "request-parameter-allow": True,
    "request-parameter-ietf-strict": False,
    "request-parameter-allow-encrypted": False,
    "request-maximum-exp": 3600,
    "oauth-as-iss-id": True,
    "oauth-par-allowed": True,
    "oauth-par-required": False,
    "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
    "oauth-par-duration": 90,
    "oauth-rar-allowed": False,
    "oauth-ciba-allowed": True,
    "oauth-ciba-default-expiry": 600,
    "oauth-ciba-maximum-expiry": 1200,
    "oauth-ciba-mode-poll-allowed": True,
    "oauth-ciba-mode-ping-allowed": False,
    "oauth-ciba-mode-push-allowed": False,
    "oauth-ciba-user-code-allowed": False,
    "oauth-ciba-email-allowed": False,
    "oauth-fapi-allow-jarm": True,
    "resource-allowed": True,
    "resource-scope": {"read": [RESOURCE], "write": [RESOURCE]},
    "resource-client-property": "resource",
    "resource-scope-and-client-property": False,
    "resource-change-allowed": True,
    "restrict-scope-client-property": "",
}

_CLIENTS = {
    "client-pubkey-parameter": "pubkey",
    "client-jwks-parameter": "jwks",
    "client-jwks_uri-parameter": "jwks_uri",
    "client-cert-self-signed-allowed": True,
    "encrypt-out-token-allow": True,
    "client-alg-parameter": "alg",
    "client-enc-parameter": "enc",
    "client-alg_kid-parameter": "alg_kid",
    "client-encrypt_id_token-parameter": "encrypt_id_token",
    "introspection-revocation-allowed": True,
    "introspection-revocation-allow-target-client": True,
    "introspection-revocation-auth-scope": [],
    "register-client-allowed": True,
    "register-client-auth-scope": [],
    "register-client-credentials-scope": ["read"],
    "register-client-management-allowed": True,
    "session-management-allowed": True,
    "session-cookie-name": "GLEWLWYD2_OIDC_SID",
    "session-cookie-expiration": 2419200,
    "oauth-dpop-allowed": True,
    "oauth-dpop-iat-duration": 60,
    "oauth-dpop-iat-gap-duration": 10,
    "oauth-dpop-dpop_bound_access_tokens-property": "dpop_bound_access_tokens",
    "oauth-dpop-nonce-counter": 8,
}

import OpenID
import PlatformKit

/// What is pasted into web frameworks, whose callback addresses the built-in clients have: those of a provider called `understudy`.
enum OneginiSnippets {
    /// - Source: oidc-client-ts 3, UserManagerSettings; the port is Vite's.
    static func page(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "oidc-client-ts, JavaScript",
            """
            import { UserManager } from "oidc-client-ts";

            export const users = new UserManager({
                authority: "\(url)",
                client_id: "\(client.id)",
                redirect_uri: "http://localhost:5173/callback",
                post_logout_redirect_uri: "http://localhost:5173/",
                scope: "openid profile",
            });
            """)
    }

    static func backEnds(_ client: Client, _ url: String) -> [Setup.Snippet] {
        [
            spring(client, url), authJS(client, url), passport(client, url), allauth(client, url),
            mozillaDjango(client, url),
        ]
    }

    /// - Source: Spring Boot, `spring.security.oauth2.client`; the address is `/login/oauth2/code/{registrationId}`.
    private static func spring(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "Spring Security, properties",
            """
            spring.security.oauth2.client.provider.understudy.issuer-uri=\(url)
            spring.security.oauth2.client.registration.understudy.client-id=\(client.id)
            spring.security.oauth2.client.registration.understudy.client-secret=\(client.secret ?? "")
            spring.security.oauth2.client.registration.understudy.scope=openid,profile
            """)
    }

    /// - Source: Auth.js, “Configuring OAuth providers”; the address is `/api/auth/callback/{id}` in Next.js, `/auth/callback/{id}` elsewhere.
    private static func authJS(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "Auth.js, JavaScript",
            """
            export const understudy = {
                id: "understudy",
                name: "Understudy",
                type: "oidc",
                issuer: "\(url)",
                clientId: "\(client.id)",
                clientSecret: "\(client.secret ?? "")",
                authorization: { params: { scope: "openid profile" } },
            };
            """)
    }

    /// - Source: passport-openidconnect 0.1, README.
    private static func passport(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "Passport, JavaScript (passport-openidconnect)",
            """
            const understudy = {
                issuer: "\(url)",
                authorizationURL: "\(url)/v1/authorize",
                tokenURL: "\(url)/v1/token",
                userInfoURL: "\(url)/v1/userinfo",
                clientID: "\(client.id)",
                clientSecret: "\(client.secret ?? "")",
                callbackURL: "http://localhost:3000/auth/understudy/callback",
                scope: "profile",
            };
            """)
    }

    /// - Source: django-allauth, “OpenID Connect”; the address is `/accounts/oidc/{provider_id}/login/callback/`.
    private static func allauth(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "Django with allauth, settings.py",
            """
            SOCIALACCOUNT_PROVIDERS = {
                "openid_connect": {
                    "APPS": [{
                        "provider_id": "understudy",
                        "name": "Understudy",
                        "client_id": "\(client.id)",
                        "secret": "\(client.secret ?? "")",
                        "settings": {"server_url": "\(url)"},
                    }],
                },
            }
            """)
    }

    /// - Source: mozilla-django-oidc 4, “Installation”; the address is `/oidc/callback/`.
    private static func mozillaDjango(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "Django with mozilla-django-oidc, settings.py",
            """
            OIDC_RP_CLIENT_ID = "\(client.id)"
            OIDC_RP_CLIENT_SECRET = "\(client.secret ?? "")"
            OIDC_RP_SIGN_ALGO = "RS256"
            OIDC_RP_SCOPES = "openid profile email"
            OIDC_OP_AUTHORIZATION_ENDPOINT = "\(url)/v1/authorize"
            OIDC_OP_TOKEN_ENDPOINT = "\(url)/v1/token"
            OIDC_OP_USER_ENDPOINT = "\(url)/v1/userinfo"
            OIDC_OP_JWKS_ENDPOINT = "\(url)/v1/keys"
            """)
    }
}

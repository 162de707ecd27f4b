import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /pa/v4/status`: the server's time, by which devices set their clocks, and the algorithms that it takes.
    ///
    /// - Request: `{"requestObject":{"applicationKey"?}}`, also nothing.
    /// - Response: `200 {"status":"OK","responseObject":{"serverTime":ms,"supportedAlgorithms":[…],"application":{"name","version"}}}`;
    ///   the algorithms of that application, or all without one.
    /// - Errors: `ERR_VALIDATION` for a body that cannot be read.
    /// - Source: API list of the vendor's RESTful integration 2.x; the name is ours.
    func serverStatus4(_ request: Request) throws -> Response {
        let key = try Members(plain: request, isOptional: true).optionalText("applicationKey")
        let algorithms = try database.read { db in
            try key.flatMap { try ApplicationVersion.find($0, in: db) }.map {
                try ApplicationSuites.find($0.application, in: db).algorithms
            }
        }
        if let key, algorithms == nil {
            services.journal.explain(
                "No application has a version with the key “\(key.prefix(60))”: the algorithms of the server are told."
            )
        }
        let names = (algorithms ?? ApplicationSuites.Algorithm.allCases).map(\.rawValue)
        return .powerAuth(responseObject: [
            "serverTime": .integer(services.clock.now().unixMilliseconds),
            "supportedAlgorithms": JSONValue(names),
            "application": ["name": "understudy", "version": .string(EmulatedServer.nextVersion)],
        ])
    }

    /// `POST /pa/v4/keystore/create`: a secret for the encrypted requests of the next minutes.
    ///
    /// - Request: `{"requestObject":{"jwt"}}`, HS256 or HS384 by a key that is derived from the application secret or the
    ///   activation's; claims `applicationKey`, `activationId`?, `challenge`, `sharedSecretRequest`.
    /// - Response: `200 {"status":"OK","responseObject":{"jwt"}}`, a JWS in general JSON serialization as a text, or as an object by the
    ///   setting `temporary_key_form`.
    /// - Errors: `ERR_TEMPORARY_KEY` for everything; `ERR_VALIDATION` for a blank `jwt`.
    /// - Source: PowerAuth documentation 2.x, “End-To-End Encryption”; published test vectors.
    func createTemporaryKey4(_ request: Request) throws -> Response {
        let token = try requiredText4(request, "jwt")
        let (answer, form) = try change { turn in
            (
                try TemporarySecrets(world: world).grant(token, in: turn),
                try world.settings(in: turn.db).temporaryKeyForm
            )
        }
        return .powerAuth(responseObject: ["jwt": form == "object" ? answer : .string(answer.text)])
    }

    /// `POST /pa/v4/config/application`: what the server tells every copy of an app. Nothing is set here.
    ///
    /// - Request: `{}` or nothing, encrypted for the application.
    /// - Response: `200`, encrypted `{"config":[]}`.
    /// - Errors: `ERR_ENCRYPTION`.
    /// - Source: API list of the vendor's RESTful integration 2.x.
    func showApplicationConfiguration4(_ request: Request) throws -> Response {
        try change { turn in
            try aeadEncryption.open(request, .applicationGeneric, in: turn) { opened in
                try aeadEncryption.sealed(["config": []], answering: opened)
            }
        }
    }

    /// `POST /pa/v4/config/activation`: what the server tells one device. Nothing is set here.
    ///
    /// - Request: `{}` or nothing, encrypted for the activation.
    /// - Response: `200`, encrypted `{"config":[]}`.
    /// - Errors: `ERR_ENCRYPTION`.
    /// - Source: API list of the vendor's RESTful integration 2.x.
    func showActivationConfiguration4(_ request: Request) throws -> Response {
        try change { turn in
            try aeadEncryption.open(request, .activationGeneric, in: turn) { opened in
                try aeadEncryption.sealed(["config": []], answering: opened)
            }
        }
    }
}

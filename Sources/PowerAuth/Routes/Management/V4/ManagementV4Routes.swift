import HTTP
import PlatformKit

extension PowerAuth {
    /// Version 4 of the management API, which has what version 3 has by other names, and some more. What is encrypted for a server in
    /// front, beside the exchange of factor keys, is not here: `activation/prepare`, `activation/create`, `token/create`, `vault/unlock`
    /// and the extractor of keys.
    static let managementV4Routes: [Route<PowerAuth>] =
        (managementActivationRoutes + managementVerificationRoutes + managementApplicationRoutes
        + managementOperationRoutes + managementServerRoutes).compactMap(newer)
        + [
            .post("/rest/v4/activation/confirm", PowerAuth.confirmManagedActivation),
            .post("/rest/v4/password/change", PowerAuth.changeManagedPassword),
            .post("/rest/v4/biometry/add", PowerAuth.addManagedBiometry),
            .post("/rest/v4/biometry/remove", PowerAuth.removeManagedBiometry),
            .post("/rest/v4/dsa/sign", PowerAuth.makeServerSignatures),
            .post("/rest/v4/dsa/verify", PowerAuth.verifyDeviceSignature4),
            .post("/rest/v4/keystore/create", PowerAuth.makeTemporarySecret),
            .post("/rest/v4/keystore/remove", PowerAuth.forgetTemporaryKey),
        ]

    /// The route of version 3 under its name in version 4; nil for one that is not there.
    private static func newer(_ route: Route<PowerAuth>) -> Route<PowerAuth>? {
        guard let name = route.pattern.prefixed(by: "/rest/v3/"), !gone.contains(name) else { return nil }
        let isOfCodes = name.hasPrefix("signature/")
        let path = renamed.first { name == $0.older }?.newer ?? name
        let spelling = isOfCodes ? ManagementSpelling.codes : .types
        return Route(route.method, "/rest/v4/" + path, bodyLimit: route.bodyLimit) {
            [handler = route.handler] platform in
            { request in
                do {
                    return try spelling.newer(handler(platform)(spelling.older(request)))
                } catch let refusal as ManagementRefusal {
                    throw spelling.newer(refusal)
                }
            }
        }
    }

    private static let renamed: [(older: String, newer: String)] = [
        ("signature/verify", "auth/verify"), ("signature/offline/verify", "auth/offline/verify"),
        ("signature/offline/personalized/create", "auth/offline/personalized/create"),
        ("signature/offline/non-personalized/create", "auth/offline/non-personalized/create"),
        ("signature/list", "audit/list"),
    ]

    private static let gone: Set = [
        "activation/prepare", "activation/create", "activation/recovery/create", "signature/ecdsa/verify",
        "signature/ecdsa/sign",
    ]
}

extension String {
    /// What follows the prefix; nil for another text.
    fileprivate func prefixed(by prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

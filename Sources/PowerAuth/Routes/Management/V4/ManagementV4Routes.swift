import HTTP
import PlatformKit

extension PowerAuth {
    /// Version 4 of the management API, which has what version 3 has by other names, and some more. Of what is encrypted for a server in
    /// front, the extractor of keys and the upgrade are not here.
    static let managementV4Routes: [Route<PowerAuth>] =
        (managementActivationRoutes + managementVerificationRoutes + managementApplicationRoutes
        + managementOperationRoutes + managementServerRoutes).compactMap { route in
            route.isOfVersion3(without: replaced) ? newer(route) : nil
        } + replacements.compactMap(newer)
        + [
            .post("/rest/v4/activation/prepare", PowerAuth.prepareActivation4),
            .post("/rest/v4/activation/create", PowerAuth.makeActivation4),
            .post("/rest/v4/token/create", PowerAuth.makeToken4),
            .post("/rest/v4/vault/unlock", PowerAuth.openVault4),
            .post("/rest/v4/activation/confirm", PowerAuth.confirmManagedActivation),
            .post("/rest/v4/password/change", PowerAuth.changeManagedPassword),
            .post("/rest/v4/biometry/add", PowerAuth.addManagedBiometry),
            .post("/rest/v4/biometry/remove", PowerAuth.removeManagedBiometry),
            .post("/rest/v4/dsa/sign", PowerAuth.makeServerSignatures),
            .post("/rest/v4/dsa/verify", PowerAuth.verifyDeviceSignature4),
            .post("/rest/v4/keystore/create", PowerAuth.makeTemporarySecret),
            .post("/rest/v4/keystore/remove", PowerAuth.forgetTemporaryKey),
        ]

    /// The route of version 3 under its name in version 4; nil for one that is not of the API.
    private static func newer(_ route: Route<PowerAuth>) -> Route<PowerAuth>? {
        guard let name = route.pattern.prefixed(by: "/rest/v3/") else { return nil }
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

    /// What tells more in version 4, by its path in version 3.
    private static let replacements: [Route<PowerAuth>] = [
        .post("/rest/v3/activation/init", PowerAuth.initActivation4),
        .post("/rest/v3/activation/status", PowerAuth.showActivation4),
        .post("/rest/v3/signature/list", PowerAuth.listAudit),
        .post("/rest/v3/status", PowerAuth.showServerStatus4),
        .post("/rest/v3/error/list", PowerAuth.listServerErrors4),
    ]

    /// What is not there, or is another thing there.
    private static let replaced = Set(
        replacements.map(\.pattern)
            + [
                "activation/prepare", "activation/create", "activation/recovery/create",
                "signature/ecdsa/verify", "signature/ecdsa/sign",
            ].map { "/rest/v3/" + $0 })
}

extension Route<PowerAuth> {
    fileprivate func isOfVersion3(without others: Set<String>) -> Bool {
        pattern.hasPrefix("/rest/v3/") && !others.contains(pattern)
    }
}

extension String {
    /// What follows the prefix; nil for another text.
    fileprivate func prefixed(by prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

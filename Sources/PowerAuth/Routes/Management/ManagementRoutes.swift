import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// The management API v3 of the server below, at `/powerauth-java-server`.
    static let managementRoutes: [Route<PowerAuth>] =
        (managementActivationRoutes + managementVerificationRoutes + managementApplicationRoutes
        + managementOperationRoutes + managementEncryptionRoutes + managementServerRoutes).map {
            ofGeneration($0)
        } + managementRecoveryRoutes.map { ofGeneration($0, isGone: true) }

    /// The route as the server of the setting `server_generation` has it: 2.x has other error codes, and nothing about recovery codes.
    private static func ofGeneration(_ route: Route<PowerAuth>, isGone: Bool = false) -> Route<PowerAuth> {
        Route(route.method, route.pattern, bodyLimit: route.bodyLimit) { [handler = route.handler] platform in
            { request in
                let isOfSecond = try platform.database.read {
                    try platform.world.settings(in: $0).isOfSecondGeneration
                }
                guard !(isOfSecond && isGone) else { throw RecoveryGone() }
                do {
                    return try handler(platform)(request)
                } catch let refusal as ManagementRefusal {
                    throw refusal.told(by: isOfSecond ? 2 : 1)
                }
            }
        }
    }

    static let managementActivationRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/activation/init", PowerAuth.initActivation),
        .post("/rest/v3/activation/prepare", PowerAuth.prepareActivation),
        .post("/rest/v3/activation/create", PowerAuth.makeActivation),
        .post("/rest/v3/activation/recovery/create", PowerAuth.recoverActivation),
        .post("/rest/v3/activation/commit", PowerAuth.commitActivation),
        .post("/rest/v3/activation/otp/update", PowerAuth.updateActivationOTP),
        .post("/rest/v3/activation/name/update", PowerAuth.updateActivationName),
        .post("/rest/v3/activation/status", PowerAuth.showActivation),
        .post("/rest/v3/activation/list", PowerAuth.listActivations),
        .post("/rest/v3/activation/lookup", PowerAuth.lookUpActivations),
        .post("/rest/v3/activation/block", PowerAuth.blockActivation),
        .post("/rest/v3/activation/unblock", PowerAuth.unblockActivation),
        .post("/rest/v3/activation/remove", PowerAuth.endActivation),
        .post("/rest/v3/activation/status/update", PowerAuth.updateActivationStates),
        .post("/rest/v3/activation/flags/list", PowerAuth.listActivationFlags),
        .post("/rest/v3/activation/flags/create", PowerAuth.addActivationFlags),
        .post("/rest/v3/activation/flags/update", PowerAuth.replaceActivationFlags),
        .post("/rest/v3/activation/flags/remove", PowerAuth.removeActivationFlags),
        .post("/rest/v3/activation/history", PowerAuth.showActivationHistory),
    ]

    static let managementVerificationRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/signature/verify", PowerAuth.verifySignature),
        .post("/rest/v3/signature/ecdsa/verify", PowerAuth.verifyDeviceSignature),
        .post("/rest/v3/signature/ecdsa/sign", PowerAuth.makeServerSignature),
        .post("/rest/v3/signature/offline/personalized/create", PowerAuth.createPersonalizedOfflineData),
        .post("/rest/v3/signature/offline/non-personalized/create", PowerAuth.createOfflineData),
        .post("/rest/v3/signature/offline/verify", PowerAuth.verifyOfflineSignature),
        .post("/rest/v3/signature/list", PowerAuth.listSignatures),
        .post("/rest/v3/token/validate", PowerAuth.validateToken),
        .post("/rest/v3/token/remove", PowerAuth.forgetToken),
    ]

    static let managementApplicationRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/application/list", PowerAuth.listApplications),
        .post("/rest/v3/application/detail", PowerAuth.showApplication),
        .post("/rest/v3/application/create", PowerAuth.createApplication),
        .post("/rest/v3/application/detail/version", PowerAuth.findApplicationVersion),
        .post("/rest/v3/application/version/create", PowerAuth.createApplicationVersion),
        .post("/rest/v3/application/version/support", PowerAuth.supportApplicationVersion),
        .post("/rest/v3/application/version/unsupport", PowerAuth.unsupportApplicationVersion),
        .post("/rest/v3/application/roles/list", PowerAuth.listApplicationRoles),
        .post("/rest/v3/application/roles/create", PowerAuth.addApplicationRoles),
        .post("/rest/v3/application/roles/update", PowerAuth.replaceApplicationRoles),
        .post("/rest/v3/application/roles/remove", PowerAuth.removeApplicationRoles),
        .post("/rest/v3/application/config/detail", PowerAuth.showApplicationConfiguration),
        .post("/rest/v3/application/config/create", PowerAuth.setApplicationConfiguration),
        .post("/rest/v3/application/config/remove", PowerAuth.removeApplicationConfiguration),
        .post("/rest/v3/application/callback/create", PowerAuth.createApplicationCallback),
        .post("/rest/v3/application/callback/update", PowerAuth.updateApplicationCallback),
        .post("/rest/v3/application/callback/list", PowerAuth.listApplicationCallbacks),
        .post("/rest/v3/application/callback/remove", PowerAuth.removeApplicationCallback),
    ]

    static let managementServerRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/status", PowerAuth.showServerStatus),
        .get("/api/service/status", PowerAuth.showManagementService),
        .post("/rest/v3/error/list", PowerAuth.listServerErrors),
        .post("/rest/v3/integration/create", PowerAuth.createIntegration),
        .post("/rest/v3/integration/list", PowerAuth.listIntegrations),
        .post("/rest/v3/integration/remove", PowerAuth.removeIntegration),
        .post("/rest/v3/telemetry/report", PowerAuth.reportTelemetry),
        .post("/fido2/*rest", PowerAuth.refuseManagedPasskeys),
    ]
}

extension PowerAuth {
    static let managementOperationRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/operation/create", PowerAuth.createManagedOperation),
        .post("/rest/v3/operation/detail", PowerAuth.showManagedOperation),
        .post("/rest/v3/operation/claim", PowerAuth.claimManagedOperation),
        .post("/rest/v3/operation/list", PowerAuth.listManagedOperations),
        .post("/rest/v3/operation/list/pending", PowerAuth.listPendingManagedOperations),
        .post("/rest/v3/operation/list/external", PowerAuth.listExternalManagedOperations),
        .post("/rest/v3/operation/cancel", PowerAuth.cancelManagedOperation),
        .post("/rest/v3/operation/approve", PowerAuth.approveManagedOperation),
        .post("/rest/v3/operation/approve/fail", PowerAuth.failManagedApproval),
        .post("/rest/v3/operation/reject", PowerAuth.rejectManagedOperation),

        .post("/rest/v3/operation/template/list", PowerAuth.listOperationTemplates),
        .post("/rest/v3/operation/template/detail", PowerAuth.showOperationTemplate),
        .post("/rest/v3/operation/template/create", PowerAuth.createOperationTemplate),
        .post("/rest/v3/operation/template/update", PowerAuth.updateOperationTemplate),
        .post("/rest/v3/operation/template/remove", PowerAuth.removeOperationTemplate),
    ]
}

/// Servers 2.x have no recovery codes.
struct RecoveryGone: PowerAuthRefusal {
    let explanation =
        "Servers 2.x have no recovery codes, and no path for them: the setting server_generation of the fixtures is 2.x."

    var wire: WireError {
        WireError(.notFound, "ERROR_NOT_FOUND", "Nothing answers at this path with this method.")
    }
}

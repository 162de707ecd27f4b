import PlatformKit

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

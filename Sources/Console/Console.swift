package import HTTP
package import Phone
package import PlatformKit

/// The control API and the web pages: everything a developer or a test does to the worlds from outside the platforms.
///
/// It knows the platforms by name, title and mount path only. The API is described by `Web/openapi.json`; what the list of
/// ``calls`` has and what the document has is the same, which a test holds. Errors are RFC 9457 problems.
package struct Console: Sendable {
    let worlds: Worlds
    let info: ConsoleInfo
    let web: WebFiles
    let access: ControlAccess
    let phones: PhoneCenter
    let comparisons: ComparisonCenter
    let encoded = EntryCache()

    /// - Parameters:
    ///   - phones: has the phones of all worlds do their errands; without any, none has an app.
    ///   - comparisons: plays recordings; one that was not begun plays none.
    package init(
        worlds: Worlds, info: ConsoleInfo, web: WebFiles, access: ControlAccess,
        phones: PhoneCenter = PhoneCenter([]), comparisons: ComparisonCenter = ComparisonCenter()
    ) {
        (self.phones, self.comparisons) = (phones, comparisons)
        self.worlds = worlds
        self.info = info
        self.web = web
        self.access = access
    }

    /// Path of the control API, below the mount of a world.
    static let root = "/_understudy/v1"

    /// Every call of the control API once.
    static let calls: [ControlCall] = [
        .open(.get, "/health", Console.health),
        .open(.get, "/ready", Console.ready),
        .get("/info", Console.describe),
        .get("/metrics", Console.metrics),
        .open(.get, "/ca/:file", Console.authorityFile),
        .open(.post, "/callbacks", bodyLimit: ControlCall.longBodyBytes, Console.takeCallback),
        .get("/openapi.json", Console.openAPI),
        .get("/openapi/:file", Console.platformDescription),
        .open(.get, "/schema.json", Console.fixtureSchema),
        .open(.get, "/helpers", Console.listHelpers),
        .open(.get, "/helpers/:name", Console.showHelper),
        .open(.get, "/stubs", Console.listStubs),
        .open(.get, "/stubs/:name", Console.showStub),

        .get("/worlds", Console.listWorlds),
        .post("/worlds", bodyLimit: FixtureLimit.bytes, Console.createWorld),
        .get("/worlds/:name", Console.showWorld),
        .put("/worlds/:name", bodyLimit: FixtureLimit.bytes, Console.createNamedWorld),
        .delete("/worlds/:name", Console.deleteWorld),
        .post("/worlds/:name/reset", Console.resetWorld),

        .get("/clock", Console.showClock),
        .put("/clock", Console.setClock),
        .post("/clock/advance", Console.advanceClock),

        .post("/keys/rotate", Console.rotateKeys),

        .get("/tokens", Console.listTokenKinds),
        .post("/tokens", bodyLimit: mintBytes, Console.mintToken),

        .get("/codes", Console.newestCode),
        .get("/outbox", Console.listMessages),
        .post("/outbox", Console.takeTextMessage),
        .delete("/outbox", Console.deleteMessages),
        .get("/outbox/stream", Console.streamMessages),
        .get("/outbox/latest", Console.latestMessage),
        .delete("/outbox/latest", Console.deleteLatestMessage),
        .get("/outbox/:id", Console.showMessage),
        .delete("/outbox/:id", Console.deleteMessage),
        .get("/outbox/:id/raw", Console.rawMessage),
        .get("/outbox/:id/html", Console.messageHTML),
        .get("/outbox/:id/attachments/:number", Console.messageAttachment),

        .get("/journal", Console.listEntries),
        .delete("/journal", Console.clearJournal),
        .get("/journal/stream", Console.streamEntries),
        .get("/journal/:id", Console.showEntry),
        .get("/journal.har", Console.exportJournal),

        .get("/flows", Console.listFlows),
        .get("/flows/last", Console.showLastFlow),
        .get("/flows/:id", Console.showFlow),

        .get("/transactions", Console.listTransactions),
        .get("/transactions/:id", Console.showTransaction),
        .get("/transactions/:id/qr", Console.transactionQR),
        .post("/transactions/:id/:action", Console.actOnTransaction),

        .get("/records", Console.listRecords),
        .post("/records", bodyLimit: RecordForm.bytes, Console.makeRecord),
        .get("/records/:platform/:id", Console.showRecord),
        .get("/records/:platform/:id/qr", Console.recordQR),
        .post("/records/:platform/:id/:action", bodyLimit: RecordForm.bytes, Console.actOnRecord),

        .get("/users/:platform/:id", Console.showUser),
        .put("/users/:platform/:id", bodyLimit: UserLimit.bytes, Console.replaceUser),
        .patch("/users/:platform/:id", bodyLimit: UserLimit.bytes, Console.changeUser),
        .post("/users/:platform/:id", bodyLimit: UserLimit.bytes, Console.changeUser),

        .get("/authenticators", Console.listAuthenticators),
        .post("/authenticators", bodyLimit: AuthenticatorLimit.bytes, Console.makeAuthenticator),
        .get("/authenticators/:id", Console.showAuthenticator),
        .patch("/authenticators/:id", bodyLimit: AuthenticatorLimit.bytes, Console.changeAuthenticator),
        // POST beside PATCH: Java's HttpURLConnection, which is what Android has, knows no other.
        .post("/authenticators/:id", bodyLimit: AuthenticatorLimit.bytes, Console.changeAuthenticator),
        .delete("/authenticators/:id", Console.deleteAuthenticator),
        .post("/authenticators/:id/create", bodyLimit: AuthenticatorLimit.bytes, Console.createCredential),
        .post("/authenticators/:id/get", bodyLimit: AuthenticatorLimit.bytes, Console.getCredential),

        .get("/phones", Console.listPhones),
        .post("/phones", Console.makePhone),
        .get("/phones/:name", Console.showPhone),
        .patch("/phones/:name", Console.changePhone),
        .post("/phones/:name", Console.changePhone),
        .delete("/phones/:name", Console.deletePhone),
        .post("/phones/:name/scan", bodyLimit: ControlCall.longBodyBytes, Console.scanWithPhone),
        .post("/phones/:name/enrol", Console.enrolPhone),
        .post("/phones/:name/do", Console.doOnPhone),
        .get("/phones/:name/pending", Console.pendingOnPhone),
        .post("/phones/:name/approve", Console.approveOnPhone),
        .post("/phones/:name/decline", Console.declineOnPhone),
        .post("/phones/:name/sign", bodyLimit: ControlCall.longBodyBytes, Console.signWithPhone),
        .get("/phones/:name/messages", Console.listPhoneMessages),
        .post("/phones/:name/messages/:id/open", Console.openPhoneMessage),

        .get("/snapshots", Console.listSnapshots),
        .post("/snapshots", Console.takeSnapshot),
        .get("/snapshots/:name", Console.showSnapshot),
        .delete("/snapshots/:name", Console.deleteSnapshot),
        .post("/snapshots/:name/restore", Console.restoreSnapshot),
        .get("/snapshots/:name/file", Console.exportSnapshot),
        .put("/snapshots/:name/file", bodyLimit: snapshotBytes, Console.importSnapshot),

        .get("/audit", Console.listAudit),

        .get("/faults", Console.listFaults),
        .post("/faults", bodyLimit: FaultLimit.bytes, Console.addFault),
        .put("/faults", bodyLimit: FaultLimit.bytes, Console.replaceFaults),
        .delete("/faults", Console.deleteFaults),
        .get("/faults/:name", Console.showFault),
        .put("/faults/:name", bodyLimit: FaultLimit.bytes, Console.putFault),
        .delete("/faults/:name", Console.deleteFault),

        .get("/comparison", Console.showComparison),
        .post("/comparison", bodyLimit: ComparisonOrder.recordingLimit, Console.startComparison),
        .delete("/comparison", Console.discardComparison),
        .get("/comparison/:file", Console.comparisonFile),

        .get("/upstreams", Console.listUpstreams),
        .put("/upstreams/:mount", bodyLimit: UpstreamLimit.bytes, Console.putUpstream),
        .delete("/upstreams/:mount", Console.deleteUpstream),

        .get("/fixtures", Console.exportFixtures),
        .put("/fixtures", bodyLimit: FixtureLimit.bytes, Console.loadFixtures),
    ]

    /// Every page, as a path below the mount of a world.
    static let pages: [(path: String, show: @Sendable (Console) -> (World, Request) throws -> Page)] = [
        ("/", Console.home),
        ("/outbox", Console.outbox),
        ("/outbox/:id", Console.letter),
        ("/transactions", Console.transactions),
        ("/transactions/:id", Console.transaction),
        ("/devices", Console.records),
        ("/devices/:platform/:id", Console.record),
        ("/phones", Console.phones),
        ("/phones/:name", Console.phone),
        ("/phones/:name/scan", Console.phoneScanner),
        ("/phones/:name/settings", Console.phoneSettings),
        ("/phones/:name/apps/:platform", Console.phoneApp),
        ("/phones/:name/apps/:platform/:account", Console.phoneApp),
        ("/faults", Console.faults),
        ("/flows", Console.flowList),
        ("/flows/:id", Console.flowPage),
        ("/journal", Console.journal),
        ("/journal/:id", Console.entry),
        ("/audit", Console.auditPage),
        ("/compare", Console.comparePage),
        ("/compare/:number", Console.comparedExchange),
        ("/search", Console.searchPage),
        ("/mint", Console.mintPage),
        ("/worlds", Console.worldsPage),
        ("/time", Console.timePage),
        ("/snapshots", Console.snapshotsPage),
        ("/ca", Console.authority),
        ("/_understudy", Console.apiPage),
    ]

    /// Patterns of all pages and of all calls that read.
    package static var readable: [String] {
        calls.filter { $0.method == .get }.map { root + $0.path } + pages.map(\.path)
    }

    /// Bytes of a form with few fields.
    private static let formBytes = 4096

    /// Every form of the pages, as a browser posts it: a path below the mount of a world, and bytes of body.
    private static let forms: [(path: String, bytes: Int, take: ControlCall.Handler)] = [
        ("/transactions/:id", formBytes, Console.decide),
        ("/devices", RecordForm.bytes, Console.makeFromForm),
        ("/devices/:platform/:id", RecordForm.bytes, Console.actFromForm),
        ("/phones", RecordForm.bytes, Console.makePhoneFromForm),
        ("/phones/:name", RecordForm.bytes, Console.actOnPhoneFromForm),
        ("/faults", RecordForm.bytes, Console.changeFaultsFromForm),
        ("/compare", compareBytes, Console.compareFromForm),
        ("/mint", mintBytes, Console.mintFromForm),
        ("/worlds", FixtureLimit.bytes, Console.changeWorldsFromForm),
        ("/time", formBytes, Console.moveClockFromForm),
        ("/snapshots", formBytes, Console.changeSnapshotsFromForm),
    ]

    package func mount(on router: inout Router<World>) {
        mountCalls(on: &router)
        mountPages(on: &router)
        mountFiles(on: &router)
    }

    private func mountCalls(on router: inout Router<World>) {
        for call in Self.calls {
            router.add(call.method, Self.root + call.path, bodyLimit: call.bodyLimit) { world, request in
                try answer(request, needsToken: call.needsToken) { try call.handler(self)(world, request) }
            }
        }
        // Where Prometheus looks when it is told nothing else.
        router.add(.get, "/metrics") { world, request in
            try answer(request) { try metrics(world, request) }
        }
        router.fallback(Self.root) { _, request, unknown in
            try answer(request) { throw ControlError.callUnknown(unknown) }
        }
    }

    private func mountPages(on router: inout Router<World>) {
        for page in Self.pages {
            router.add(.get, page.path) { world, request in
                try show(request, in: world) {
                    render(try page.show(self)(world, request), request, in: world)
                }
            }
        }
        for form in Self.forms {
            router.add(.post, form.path, bodyLimit: form.bytes) { world, request in
                try show(request, in: world) { try form.take(self)(world, request) }
            }
        }
        router.add(.get, "/docs") { world, request in
            try show(request, in: world) { try docsIndex(world, request) }
        }
        router.add(.get, "/docs/:name") { world, request in
            try show(request, in: world) { try docs(world, request, name: request.parameter("name")) }
        }
    }

    /// What anybody may have.
    private func mountFiles(on router: inout Router<World>) {
        for file in Self.authorityFiles {
            router.add(.get, "/_understudy/" + file) { world, request in
                try answer(request, needsToken: false) { try authorityFile(world, request) }
            }
        }
        router.add(.get, Self.root + "/helpers/") { world, request in
            try answer(request, needsToken: false) { try listHelpers(world, request) }
        }
        router.add(.get, Self.root + "/stubs/") { world, request in
            try answer(request, needsToken: false) { try listStubs(world, request) }
        }
        router.add(.get, "/favicon.ico") { _, request in
            try answer(request, needsToken: false) { try file("favicon.svg", request) }
        }
        router.add(.get, "/_console/*path") { _, request in
            try answer(request, needsToken: false) { try file(request.parameter("path"), request) }
        }
        router.fallback("/_console") { _, request, unknown in
            try answer(request, needsToken: false) { throw ControlError.callUnknown(unknown) }
        }
    }
}

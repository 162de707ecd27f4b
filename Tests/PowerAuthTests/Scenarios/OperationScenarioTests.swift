import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// A login by an operation that is bound to one device: “Implement Login in Mobile Apps”.
@Suite struct OperationScenarioTests {
    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `O1 to O3 and O6: the bound device reads and approves, and the back end hears all`(
        _ version: Device.Version, _ style: DeviceStyle
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version, style: style)
        let registration = try #require(phone.activation).id
        for credential in [Credential.pin(Stage.pin), .biometry] {
            let created = try stage.startOperation("login", ["registrationId": .string(registration)])
            let id = try #require(created["operationId"]?.string)
            #expect(created["userId"] == "eva")
            #expect(created["status"] == "PENDING")
            #expect(created["template"] == "login")
            #expect(created["operationType"] == "login")
            #expect(created["registrationId"]?.string == registration)
            #expect(created["failureCount"] == 0)
            #expect(created["maxFailureCount"] == 5)
            let start = try #require(created["timestampCreated"]?.integer)
            #expect(start == stage.milliseconds)
            #expect(created["timestampExpires"]?.integer == start + 300_000)

            let shown = try phone.operation(id)
            #expect(shown.data == "A2")
            #expect(shown.title == "Log in")
            #expect(shown.signatureType == "2FA")
            #expect(shown.variants == ["possession_knowledge", "possession_biometry"])
            #expect(try phone.pendingOperations().map(\.id) == [id])
            try phone.authorizeOperation(id, data: shown.data, with: credential)

            for path in ["operations", "operation"] {
                let detail = try stage.backEnd(.get, "/v2/\(path)/\(id)")
                #expect(detail["status"] == "APPROVED")
                #expect(detail["timestampFinalized"]?.integer == stage.milliseconds)
                let facts = try #require(detail["additionalData"])
                #expect(facts["ipAddress"] == "127.0.0.1")
                #expect(facts["userAgent"]?.string == style.userAgent)
                #expect(facts["applicationId"] == "my-app")
                #expect(facts["authFactor"]?.string == credential.factors)
                #expect(facts["device"] == device(style))
            }
            #expect(try phone.pendingOperations().isEmpty)
        }
        #expect(try phone.operationHistory(with: .pin(Stage.pin)).map(\.status) == ["APPROVED", "APPROVED"])
    }

    private func device(_ style: DeviceStyle) -> JSONValue {
        let isApple = style.platform == .ios
        return [
            "networkVersion": "1.5.1", "language": "en", "connection": "wifi",
            "product": "com.example.bank", "version": "4.2.0", "platform": isApple ? "Apple" : "Google",
            "os": isApple ? "iOS" : "Android", "osVersion": isApple ? "18.1" : "15",
            "model": isApple ? "iphone15,2" : "Pixel 8",
        ]
    }

    @Test(arguments: Device.Version.allCases)
    func `O4: another device of the user neither sees nor approves it`(_ version: Device.Version) throws {
        let stage = try Stage()
        let (bound, other) = (try stage.makeActivePhone(version), try stage.makeActivePhone(version))
        let id = try stage.startOperation("login", on: bound)
        #expect(try other.pendingOperations().isEmpty)
        let refusal = #expect(throws: ServerRefusal.self) {
            try other.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        }
        #expect(refusal?.status == 401)
        #expect(refusal?.code == "OPERATION_FAILED")
        #expect(try stage.operation(id)["failureCount"] == 1)
        #expect(try stage.operation(id)["status"] == "PENDING")
        try bound.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        #expect(try stage.operation(id)["status"] == "APPROVED")
    }

    @Test(arguments: Device.Version.allCases)
    func `O5: a failed approval moves both counters and can be tried again`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let id = try stage.startOperation("login", on: phone)
        for attempt in 1...4 {
            expectCode(401, "POWERAUTH_AUTH_FAIL") {
                try phone.authorizeOperation(id, data: "A2", with: .pin("0000"))
            }
            #expect(try stage.operation(id)["failureCount"]?.integer == attempt)
            #expect(try phone.status().failedAttempts == attempt)
        }
        try phone.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        let detail = try stage.operation(id)
        #expect(detail["status"] == "APPROVED")
        #expect(detail["failureCount"] == 4)
        #expect(try phone.status().failedAttempts == 0)
        expectCode(400, "OPERATION_ALREADY_FINISHED") {
            try phone.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `O5: attempts run out, of the operation and of the device`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let payment = try stage.startOperation(
            "payment",
            ["userId": "eva", "parameters": ["amount": "63.99", "currency": "EUR", "iban": "CZ65"]])
        let id = try #require(payment["operationId"]?.string)
        let data = try phone.operation(id).data
        #expect(data == "A1*A63.99EUR*ICZ65")
        for _ in 1...2 {
            expectCode(401, "OPERATION_FAILED") {
                try phone.authorizeOperation(id, data: data + " ", with: .pin(Stage.pin))
            }
        }
        expectCode(400, "OPERATION_ALREADY_FAILED") {
            try phone.authorizeOperation(id, data: "A1*A0.01EUR*ICZ65", with: .biometry)
        }
        #expect(try stage.operation(id)["status"] == "FAILED")
        #expect(try phone.status().failedAttempts == 0)

        let login = try stage.startOperation("login", on: phone)
        for attempt in 1...5 {
            expectCode(
                attempt < 5 ? 401 : 400, attempt < 5 ? "POWERAUTH_AUTH_FAIL" : "OPERATION_ALREADY_FAILED"
            ) {
                try phone.authorizeOperation(login, data: "A2", with: .pin("0000"))
            }
        }
        #expect(try stage.operation(login)["status"] == "FAILED")
        #expect(try phone.status().state == .blocked)
    }

    @Test(arguments: Device.Version.allCases)
    func `O7: the time of the approval is told, however late it is asked for`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let id = try stage.startOperation("login", on: phone)
        let approved = stage.milliseconds
        try phone.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        try stage.bench.clock.advance(seconds: 61)
        let detail = try stage.operation(id)
        #expect(detail["status"] == "APPROVED")
        #expect(detail["timestampFinalized"]?.integer == approved)
        #expect(stage.milliseconds - approved > 60_000)
    }

    @Test(arguments: Device.Version.allCases)
    func `O8: the template decides which factors approve`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let id = try stage.startOperation("knowledge", on: phone)
        #expect(try phone.operation(id).variants == ["possession_knowledge"])
        expectCode(401, "OPERATION_FAILED") {
            try phone.authorizeOperation(id, data: "A2", with: .biometry)
        }
        #expect(try stage.operation(id)["failureCount"] == 1)
        try phone.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        #expect(try stage.operation(id)["status"] == "APPROVED")
    }

    @Test(arguments: Device.Version.allCases)
    func `an operation ends by rejection, cancellation or time, and says which`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let rejected = try stage.startOperation("login", on: phone)
        try phone.rejectOperation(rejected, reason: "INCORRECT_DATA")
        #expect(try stage.operation(rejected)["status"] == "REJECTED")
        #expect(try stage.operation(rejected)["additionalData"]?["rejectReason"] == "INCORRECT_DATA")
        expectCode(400, "OPERATION_ALREADY_FINISHED") { _ = try phone.operation(rejected) }

        let canceled = try stage.startOperation("login", on: phone)
        try stage.backEnd(.delete, "/v2/operations/\(canceled)?statusReason=TOO_LATE")
        expectCode(400, "OPERATION_ALREADY_CANCELED") {
            try phone.authorizeOperation(canceled, data: "A2", with: .pin(Stage.pin))
        }
        let history = try phone.operationHistory(with: .pin(Stage.pin))
        #expect(history.first { $0.id == canceled }?.statusReason == "TOO_LATE")

        let late = try stage.startOperation("login", on: phone)
        try stage.bench.clock.advance(seconds: 301)
        expectCode(400, "OPERATION_EXPIRED") { _ = try phone.operation(late) }
        expectCode(400, "OPERATION_EXPIRED") { try phone.rejectOperation(late) }
        expectCode(400, "INVALID_OPERATION") {
            _ = try phone.operation("5a2f1c9e-7b64-4d0c-9e55-0c1d2e3f4a5b")
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `an operation of nobody belongs to who claims it`(_ version: Device.Version) throws {
        let stage = try Stage()
        let (eva, carl) = (
            try stage.makeActivePhone(version), try stage.makeActivePhone(version, user: "carl")
        )
        let id = try #require(stage.startOperation("login")["operationId"]?.string)
        #expect(try eva.pendingOperations().isEmpty)
        #expect(try eva.claimOperation(id).status == "PENDING")
        expectCode(400, "INVALID_OPERATION") { _ = try carl.claimOperation(id) }
        expectCode(400, "INVALID_REQUEST") { _ = try carl.operation(id) }
        expectCode(400, "INVALID_OPERATION") {
            try carl.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        }
        #expect(try stage.operation(id)["failureCount"] == 0)
        try eva.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        #expect(try stage.operation(id)["userId"] == "eva")
    }

    @Test(arguments: Device.Version.allCases)
    func `who is near has the code of now or of half a minute ago`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let id = try stage.startOperation("near", on: phone)
        let otp = try #require(stage.operation(id)["proximityOtp"]?.string)
        #expect(otp.wholeMatch(of: /\d{8}/) != nil)
        expectCode(401, "OPERATION_FAILED") {
            try phone.authorizeOperation(id, data: "A2", with: .pin(Stage.pin))
        }
        try stage.bench.clock.advance(seconds: 30)
        try phone.authorizeOperation(
            id, data: "A2", with: .pin(Stage.pin), proximity: ProximityCheck(otp: otp),
            mobileTokenData: ["screen": "intro", "visits": 2])
        #expect(
            try stage.operation(id)["additionalData"]?["mobileTokenData"] == ["screen": "intro", "visits": 2])

        let other = try stage.startOperation("near", on: phone)
        let stale = try #require(stage.operation(other)["proximityOtp"]?.string)
        try stage.bench.clock.advance(seconds: 60)
        expectCode(401, "OPERATION_FAILED") {
            try phone.authorizeOperation(
                other, data: "A2", with: .pin(Stage.pin),
                proximity: ProximityCheck(otp: stale, source: .deepLink))
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `a token that is stale or came before opens nothing`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        #expect(try phone.pendingOperations().isEmpty)
        let replayed = try phone.replay()
        #expect(replayed.status == 401)
        #expect(ServerRefusal(replayed).code == "POWERAUTH_AUTH_FAIL")
        phone.faults.timeShift = -7_201_000
        expectCode(401, "POWERAUTH_AUTH_FAIL") { _ = try phone.pendingOperations() }
    }

    private func expectCode(
        _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let refusal = #expect(throws: ServerRefusal.self, sourceLocation: sourceLocation) { try body() }
        #expect(refusal?.status == status, sourceLocation: sourceLocation)
        #expect(refusal?.code == code, sourceLocation: sourceLocation)
    }
}

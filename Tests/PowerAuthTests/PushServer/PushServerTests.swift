import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// What an enrollment server in front asks the push server. Source: documentation of the PowerAuth Push Server and its published client.
struct PushServerTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func ask(
        _ path: String, _ object: JSONValue, method: Request.Method = .post, isWrapped: Bool = true
    ) -> Response {
        bench.bench.send(
            method, "/powerauth-push-server/" + path,
            body: (isWrapped ? ["requestObject": object] : object).bytes,
            headers: ["Content-Type": "application/json"])
    }

    private func ask(_ path: String) -> Response { bench.bench.get("/powerauth-push-server/" + path) }

    private func create(_ id: String, _ members: [String: JSONValue] = [:]) -> Response {
        let usual: [String: JSONValue] = [
            "appId": "bank", "activationId": .string(id), "platform": "apns", "token": "token-1",
        ]
        return ask("push/device/create", .object(usual.merging(members) { $1 }))
    }

    private func devices() throws -> [String: String] {
        let all = try bench.bench.world.database.read { try $0.all(PushDevice.self) }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.activation, $0.token) })
    }

    private func send(_ members: [String: JSONValue] = [:], _ order: [String: JSONValue] = [:]) -> Response {
        let message: [String: JSONValue] = ["userId": "ada", "body": ["title": "Hello", "body": "World"]]
        let usual: [String: JSONValue] = [
            "appId": "bank", "message": .object(message.merging(members) { $1 }),
        ]
        return ask("push/message/send", .object(usual.merging(order) { $1 }))
    }

    private func pushes() throws -> [JSONValue] {
        try bench.bench.messages.map { try JSONValue(parsing: Array($0.message.text.utf8)) }
    }

    @Test func `a device is made, changed and forgotten`() throws {
        let (_, id) = try bench.active()
        bench.expectOK(create(id))
        bench.expectOK(create(id, ["token": "token-2", "platform": "fcm"]))
        #expect(try devices() == [id: "token-2"])
        bench.expectOK(ask("push/device/delete", ["appId": "shop", "token": "token-2"]))
        #expect(try devices() == [id: "token-2"])
        bench.expectOK(ask("push/device/delete", ["appId": "bank", "token": "token-2"], method: .delete))
        #expect(try devices() == [:])
        bench.expectOK(ask("push/device/delete", ["appId": "bank", "token": "token-2"]))
    }

    /// The published server finds the row by its token when the activation has none.
    @Test func `the token of an app that was activated anew goes over`() throws {
        let (_, former) = try bench.active()
        let (_, next) = try bench.active()
        bench.expectOK(create(former))
        bench.expectOK(create(next))
        #expect(try devices() == [next: "token-1"])
        // One that has a device keeps its row, and leaves others theirs.
        bench.expectOK(create(former, ["token": "token-2"]))
        bench.expectOK(create(former, ["token": "token-1"]))
        #expect(try devices() == [next: "token-1", former: "token-1"])
    }

    @Test(arguments: [
        ("appId", JSONValue.null, "ERROR_GENERIC", "App ID must not be null."),
        ("activationId", .null, "ERROR_GENERIC", "Activation ID must not be null."),
        ("platform", .null, "ERROR_GENERIC", "Platform must not be null."),
        ("token", "", "ERROR_GENERIC", "Push token must not be null or empty."),
        ("appId", "none such", "ERROR_GENERIC", "Application with given ID does not exist"),
        ("appId", "shop", "ERROR_GENERIC", "Application with given ID does not exist"),
        (
            "activationId", "none", "ERROR_GENERIC",
            "Device registration failed because associated activation is not ACTIVE"
        ),
        ("platform", "palm", "ERROR_REQUEST", "Invalid method parameter value"),
        ("environment", "test", "ERROR_REQUEST", "Invalid method parameter value"),
    ])
    func `a device that cannot be is refused`(
        _ name: String, _ value: JSONValue, _ code: String, _ message: String
    ) throws {
        let (_, id) = try bench.active()
        let refused = create(id, [name: value])
        #expect(refused.status == .badRequest)
        let told = try bench.result(refused)
        #expect(told["code"]?.string == code && told["message"]?.string == message, "\(refused.text)")
        if code == "ERROR_REQUEST" {
            #expect(told["violations"]?.array?.first?["fieldName"]?.string == name)
        }
        #expect(bench.bench.misshapenExplanations == [] && bench.bench.reports.lines == [])
        #expect(try devices() == [:])
    }

    @Test func `a device of a removed activation, and one of several, are none`() throws {
        let (_, id) = try bench.active()
        _ = bench.cloud(.delete, "/v2/registrations/" + id)
        try bench.expect(
            create(id), "ERROR_GENERIC",
            "Device registration failed because associated activation is not ACTIVE",
            because: "or it was removed")
        try bench.expect(
            ask("push/device/create/multi", ["appId": "bank", "activationIds": [.string(id)]]),
            "ERROR_GENERIC",
            "Registration of multiple associated activations per device is not enabled.")
    }

    @Test func `a state that changed is heard without an envelope`() throws {
        let (_, id) = try bench.active()
        bench.expectOK(ask("push/device/status/update", ["activationId": .string(id)], isWrapped: false))
        bench.expectOK(
            ask(
                "push/device/status/update", ["activationId": "nil", "activationStatus": "BLOCKED"],
                method: .put, isWrapped: false))
        try bench.expect(
            ask("push/device/status/update", [:], isWrapped: false), "ERROR_GENERIC",
            "Activation ID must not be null.")
    }

    @Test func `a push is recorded for each device, and counted by service`() throws {
        let (_, first) = try bench.active()
        let (_, second) = try bench.active()
        bench.expectOK(create(first))
        bench.expectOK(create(second, ["token": "token-2", "platform": "fcm"]))
        let none: JSONValue = ["sent": 0, "failed": 0, "pending": 0, "total": 0]
        let one: JSONValue = ["sent": 1, "failed": 0, "pending": 0, "total": 1]
        #expect(
            try bench.result(send()) == ["mode": "SYNCHRONOUS", "apns": one, "fcm": one, "hms": none])
        // The newest first.
        #expect(try bench.bench.messages.map(\.message.to.address) == ["token-2", "token-1"])

        let alone = send(["activationId": .string(second)], ["mode": "ASYNCHRONOUS"])
        #expect(try bench.result(alone) == ["mode": "ASYNCHRONOUS"])
        #expect(try bench.bench.messages.first?.message.to.address == "token-2")
        #expect(
            try bench.result(send(["userId": "eve"]))
                == ["mode": "SYNCHRONOUS", "apns": none, "fcm": none, "hms": none])
        #expect(bench.bench.journal.contains { $0.event == "push without device" })
        #expect(try bench.bench.messages.count == 3)
    }

    // Source: “Push message payload mapping”.
    @Test func `what is said of a push has its place in the forms of both services`() throws {
        let (_, id) = try bench.active()
        bench.expectOK(create(id))
        let body: JSONValue = [
            "title": "Balance update", "titleLocKey": "balance.title", "titleLocArgs": ["a"],
            "body": "Your balance is now $745.00", "bodyLocKey": "balance.body", "bodyLocArgs": ["b", "c"],
            "badge": 3, "sound": "default", "icon": "custom-icon", "category": "balance-update",
            "collapseKey": "balance", "validUntil": "2017-12-11T21:22:29.923Z", "extras": ["k": "v"],
        ]
        #expect(send(["body": body, "priority": "NORMAL"]).status == .ok)
        let push = try #require(try pushes().first)
        #expect(
            push["apns"] == [
                "aps": [
                    "alert": [
                        "title": "Balance update", "title-loc-key": "balance.title", "title-loc-args": ["a"],
                        "body": "Your balance is now $745.00", "loc-key": "balance.body",
                        "loc-args": ["b", "c"],
                    ], "badge": 3, "sound": "default", "category": "balance-update", "thread-id": "balance",
                ], "k": "v",
            ])
        // 2017-12-11T21:22:29Z
        #expect(push["apnsHeaders"] == ["apns-priority": "5", "apns-expiration": "1513027349"])
        #expect(
            push["fcm"] == [
                "data": ["k": "v"],
                "notification": ["title": "Balance update", "body": "Your balance is now $745.00"],
                "android": [
                    "priority": "NORMAL", "collapse_key": "balance",
                    "notification": [
                        "sound": "default", "icon": "custom-icon", "tag": "balance-update",
                        "title_loc_key": "balance.title", "title_loc_args": ["a"],
                        "body_loc_key": "balance.body", "body_loc_args": ["b", "c"],
                    ],
                ],
            ])
    }

    @Test func `a personal push is for active activations alone, and a silent one shows nothing`() throws {
        let (_, id) = try bench.active()
        bench.expectOK(create(id))
        bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK"}"#)
        let before = try pushes().count
        let personal = send(["attributes": ["personal": true]])
        #expect(try bench.result(personal)["apns"]?["total"] == 0)
        #expect(try pushes().count == before)
        #expect(bench.bench.journal.contains { $0.event == "push kept back" })
        #expect(try bench.result(send(["attributes": ["silent": true]]))["apns"]?["total"] == 1)
        #expect(try pushes().first?["apns"] == ["aps": ["content-available": 1]])
    }

    private static let unsendable: [(JSONValue, String)] = [
        (["message": .null], "Message must not be empty"),
        (["appId": .null], "App ID must not be null."),
        (["appId": "none such"], "Application with given ID does not exist"),
        (["message": ["userId": "ada"]], "Push message payload (body) must not be null."),
        (["message": ["body": ["title": "x"]]], "Push message must contain a user ID."),
    ]

    @Test(arguments: unsendable)
    func `a push that cannot be sent is refused`(_ members: JSONValue, _ message: String) throws {
        try bench.expect(send([:], members.object ?? [:]), "ERROR_GENERIC", message)
    }

    @Test func `a batch is sent as a whole or not at all`() throws {
        let (_, id) = try bench.active()
        bench.expectOK(create(id))
        func batch(_ messages: [JSONValue]) -> Response {
            ask("push/message/batch/send", ["appId": "bank", "batch": .array(messages)])
        }
        let good: JSONValue = ["userId": "ada", "body": ["title": "x"]]
        try bench.expect(
            batch([good, ["userId": "ada"]]), "ERROR_GENERIC",
            "Push message at index: 1 is not valid. Nested error is: Push message payload (body) must not be null."
        )
        try bench.expect(batch([]), "ERROR_GENERIC", "There are no push messages in the batch.")
        #expect(
            batch(Array(repeating: good, count: 21)).text.contains("Too many messages in batch"))
        #expect(try pushes().isEmpty)
        #expect(try bench.result(batch([good, good]))["apns"]?["total"] == 2)
    }

    // MARK: - The inbox

    private func post(_ number: Int, _ applications: JSONValue = ["bank"]) throws -> String {
        let response = ask(
            "inbox/messages",
            [
                "userId": "ada", "type": "text", "subject": .string("Subject \(number)"),
                "summary": .string("Summary \(number)"), "body": "A longer body",
                "applications": applications,
            ])
        return try #require(bench.result(response)["id"]?.string)
    }

    private func listed(_ query: String) throws -> [String] {
        let response = ask("inbox/messages/list?" + query)
        let list = try JSONValue(parsing: response.bytes)["responseObject"]?.array
        return try #require(list, "\(response.text)").compactMap { $0["subject"]?.string }
    }

    @Test func `the inbox is filled, listed, counted and read`() throws {
        let first = try post(1)
        bench.bench.time.advance(seconds: 1)
        _ = try post(2, ["shop"])
        bench.bench.time.advance(seconds: 1)
        _ = try post(3, ["bank", "shop"])
        #expect(
            try listed("userId=ada&applications=bank,shop") == ["Subject 3", "Subject 2", "Subject 1"])
        #expect(try listed("userId=ada&applications=bank") == ["Subject 3", "Subject 1"])
        #expect(try listed("userId=ada&applications=bank&page=1&size=1") == ["Subject 1"])
        #expect(try listed("userId=eve&applications=bank") == [])
        #expect(try bench.result(ask("inbox/messages/count?userId=ada&appId=bank")) == ["countUnread": 2])

        let read = try bench.result(ask("inbox/messages/read", ["inboxId": .string(first)]))
        #expect(read["read"] == true && read["timestampRead"]?.string == "2026-01-02T03:04:07.000+00:00")
        bench.bench.time.advance(seconds: 1)
        #expect(try bench.result(ask("inbox/messages/read", ["inboxId": .string(first)])) == read)
        #expect(try bench.result(ask("inbox/messages/detail?id=" + first)) == read)
        #expect(try listed("userId=ada&applications=bank&onlyUnread=true") == ["Subject 3"])
        bench.expectOK(ask("inbox/messages/read-all", ["userId": "ada", "appId": "bank"]))
        #expect(try bench.result(ask("inbox/messages/count?userId=ada&appId=bank")) == ["countUnread": 0])
        #expect(try bench.result(ask("inbox/messages/count?userId=ada&appId=shop")) == ["countUnread": 1])
    }

    @Test func `a message is told with all that it has`() throws {
        let id = try post(1, ["bank", "shop"])
        #expect(
            try bench.result(ask("inbox/messages/detail?id=" + id)) == [
                "id": .string(id), "userId": "ada", "type": "text", "subject": "Subject 1",
                "summary": "Summary 1", "body": "A longer body", "read": false,
                "timestampCreated": "2026-01-02T03:04:05.000+00:00", "applications": ["bank", "shop"],
            ])
        let list = try JSONValue(
            parsing: ask("inbox/messages/list?userId=ada&applications=shop").bytes)
        #expect(list["page"] == 0 && list["size"] == 100)
        #expect(
            list["responseObject"]?.array == [
                [
                    "id": .string(id), "type": "text", "subject": "Subject 1", "summary": "Summary 1",
                    "read": false, "timestampCreated": "2026-01-02T03:04:05.000+00:00",
                ]
            ])
    }

    @Test func `the device reads what the push server was given`() throws {
        let (phone, _) = try bench.active()
        _ = try post(1)
        try phone.createToken("possession_universal")
        #expect(try phone.unreadMessages() == 1)
        let id = try #require(try phone.messages().first?.id)
        try phone.markRead(id)
        #expect(try bench.result(ask("inbox/messages/detail?id=" + id))["timestampRead"] != nil)
    }

    @Test func `what is wrong with the inbox is said`() throws {
        try bench.expect(
            ask("inbox/messages/detail?id=none"), "ERROR_MESSAGE_NOT_FOUND", "Unable to fetch message: none.")
        try bench.expect(
            ask("inbox/messages/read", ["inboxId": "none"]), "ERROR_MESSAGE_NOT_FOUND",
            "Unable to mark message: none as read.")
        try bench.expect(
            ask("inbox/messages/count?userId=ada&appId=nowhere"), "ERROR_APP_NOT_FOUND",
            "Application was not found: nowhere")
        try bench.expect(
            ask("inbox/messages/list?userId=ada&applications=bank,nowhere"), "ERROR_APP_NOT_FOUND",
            "Application list contained an app that is not configured in the system.")
        #expect(ask("inbox/messages/list?userId=ada").text.contains("ERROR_GENERIC"))
        let refused = try bench.result(
            ask("inbox/messages", ["userId": "ada", "type": "text", "subject": "short", "applications": []]))
        #expect(refused["code"] == "ERROR_REQUEST")
        #expect(
            refused["violations"]?.array?.compactMap { $0["fieldName"]?.string }
                == ["subject", "summary", "body"])
    }

    @Test func `what the push server has besides says that it is not here`() throws {
        for (method, path) in [
            (Request.Method.post, "push/campaign/create"), (.get, "push/campaign/list"),
            (.get, "admin/app/list"), (.delete, "admin/app/apns"),
        ] {
            let refused = bench.bench.send(method, "/powerauth-push-server/" + path)
            #expect(refused.status == .notImplemented && refused.text.contains("not emulated"))
        }
        #expect(try bench.result(ask("push/service/status"))["applicationName"] == "powerauth-push")
    }
}

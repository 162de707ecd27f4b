import DeviceKit
package import Essentials

extension NextAuthDevice {
    /// A flow as the server told it last. It is stored while the user thinks.
    package struct Flow: Sendable, Codable, Equatable {
        /// The whole object.
        package let json: JSONValue
        package let id: String
        /// `ENROL`, `LOGIN`, `APPLOGIN` or `TRANSACTION`.
        package let type: String
        let challenge: String
        /// `PROCESSING`, `WAIT_FOR_INPUT`, `DONE` or `ERROR`.
        package let state: String

        init(_ json: JSONValue) throws {
            self.json = json
            (id, type) = (try json.text("flowid"), try json.text("type"))
            (challenge, state) = (try json.text("challenge"), try json.text("state"))
        }

        /// A login of one account as somebody makes it up who knows the id of a flow and has read nothing of it.
        package init(guessed id: String, account: Int) throws {
            try self.init([
                "flowid": .string(id), "type": "LOGIN", "state": "WAIT_FOR_INPUT",
                "challenge": .string(String(repeating: "A", count: 43)),
                "interaction": ["type": "CONFIRM", "accounts": [["accountid": .integer(account)]]],
            ])
        }

        /// `CONFIRM`, `CONFIRM_TRANSACTION`, `SET_SECOND_FACTOR` or `VERIFY_SECOND_FACTOR`; nil where nothing is asked.
        package var interaction: String? { json["interaction"]?["type"]?.string }
        /// Of the second factor: `SUCCESS`, `WRONG`, `BLOCKED` or `CANCELLED`.
        package var result: String? { json["interaction"]?["result"]?.string }
        package var triesLeft: Int? { json["interaction"]?["triesleft"]?.integer }
        /// Accounts that the user chooses from.
        package var candidates: [Int] {
            (json["interaction"]?["accounts"]?.array ?? []).compactMap { $0["accountid"]?.integer }
        }
        package var transaction: JSONValue? { json["interaction"]?["transaction"] }
        var serverID: String? { json["server"]?["serverid"]?.string }
        var isOver: Bool { state == "DONE" || state == "ERROR" }
    }

    /// How the user proves to be there.
    package enum Credential: Sendable, Equatable {
        case pin(String)
        case biometry
    }

    /// A push that waits.
    package struct Message: Sendable, Codable, Equatable {
        package let id: String
        /// `LOGIN`, `LOGOUT`, `ACCOUNT_DELETED` or `TRANSACTION`.
        package let type: String
        package let account: Int?
        package let json: JSONValue

        /// One of which nothing but the id is known.
        package init(guessed id: String, type: String) {
            (self.id, self.type, account) = (id, type, nil)
            json = ["messageid": .string(id), "type": .string(type)]
        }

        init(_ json: JSONValue) throws {
            (id, type) = (try json.text("messageid"), try json.text("type"))
            (account, self.json) = (json["accountid"]?.integer, json)
        }
    }
}

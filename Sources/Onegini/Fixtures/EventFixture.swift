import Essentials

/// An event in a fixture file, with the names of the events API.
struct EventFixture: Codable, Sendable {
    /// UUID
    var id: String
    /// The catalogue name in upper case.
    var type: EventType
    var clientID: String?
    var userID: String?
    var transactionID: String?
    var application: String?
    var address: String?
    var userAgent: String?
    var occurred: Date

    enum CodingKeys: String, CodingKey {
        case id = "event_identifier"
        case type = "event_type"
        case clientID = "client_id"
        case userID = "user_id"
        case transactionID = "transaction_id"
        case application = "app_name"
        case address = "client_ip"
        case userAgent = "user_agent"
        case occurred
    }
}

extension EventFixture {
    init(_ event: Event) {
        (id, type, clientID, userID) = (event.id, event.type, event.clientID, event.subject)
        (transactionID, application) = (event.transactionID, event.application)
        (address, userAgent, occurred) = (event.address, event.userAgent, event.at)
    }
}

extension Event {
    init(_ fixture: EventFixture) {
        (id, type, clientID, subject) = (fixture.id, fixture.type, fixture.clientID, fixture.userID)
        (transactionID, application) = (fixture.transactionID, fixture.application)
        (address, userAgent, at) = (fixture.address, fixture.userAgent, fixture.occurred)
    }
}

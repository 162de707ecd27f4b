import Crypto
import Essentials

/// What may be said of a server. Source: API description 2.2, `Server`.
struct ServerInput: Decodable {
    let serverName: String?
    let logo: String?
    let pingTime: InputNumber?
    let pinTimeout: InputNumber?
    let pinTransTimeout: InputNumber?
    let serverFlags: [String]?
    let appandroid: String?
    let appios: String?
    let appname: String?
    let appurl: String?
    let siteurl: String?
    let wsurl: String?
    let owner: Int?

    /// Writes down what is there; a link that is empty is taken away.
    ///
    /// - Throws: ``BackEndRefusal/inputInvalid(_:)``.
    func apply(to server: inout Server) throws {
        if let serverName {
            guard !serverName.isEmpty else {
                throw BackEndRefusal.inputInvalid("The “serverName” is empty.")
            }
            server.name = serverName
        }
        if let logo {
            guard Base64.decode(logo) != nil else {
                throw BackEndRefusal.inputInvalid("The “logo” is not Base64 with its padding.")
            }
            server.logo = logo
        }
        server.flags = serverFlags ?? server.flags
        server.pingTime = try Self.checked(pingTime, "pingTime", 0...31_536_000) ?? server.pingTime
        server.pinTimeout = try Self.checked(pinTimeout, "pinTimeout", -1...525_600) ?? server.pinTimeout
        server.pinTransTimeout =
            try Self.checked(pinTransTimeout, "pinTransTimeout", -1...525_600) ?? server.pinTransTimeout
        applyLinks(to: &server)
    }

    private func applyLinks(to server: inout Server) {
        server.appAndroid = Self.changed(server.appAndroid, to: appandroid)
        server.appIOS = Self.changed(server.appIOS, to: appios)
        server.appName = Self.changed(server.appName, to: appname)
        server.appURL = Self.changed(server.appURL, to: appurl)
        server.siteURL = Self.changed(server.siteURL, to: siteurl)
        server.webSocketURL = Self.changed(server.webSocketURL, to: wsurl)
        server.owner = owner ?? server.owner
    }

    private static func changed(_ old: String?, to new: String?) -> String? {
        guard let new else { return old }
        return new.isEmpty ? nil : new
    }

    private static func checked(
        _ input: InputNumber?, _ name: String, _ range: ClosedRange<Int>
    ) throws -> Int? {
        guard let input else { return nil }
        switch input {
        case .whole(let value) where range.contains(value): return value
        case .whole(let value):
            throw BackEndRefusal.inputInvalid(
                "The “\(name)” is \(value), expected \(range.lowerBound) to \(range.upperBound).")
        case .tooLarge:
            throw BackEndRefusal.inputInvalid(
                "The “\(name)” is too large, expected \(range.lowerBound) to \(range.upperBound).")
        }
    }
}

/// A whole number of a body, which may be one that no `Int` holds.
enum InputNumber: Decodable {
    case whole(Int)
    case tooLarge

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // What else it is decides which error is told.
        if let number = try? container.decode(Int.self) {
            self = .whole(number)
        } else if let number = try? container.decode(Double.self), abs(number) >= 0x1p63 {
            self = .tooLarge
        } else {
            self = .whole(try container.decode(Int.self))
        }
    }
}

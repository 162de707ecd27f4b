import Essentials

/// What begins a flow.
struct FlowRequest: Decodable {
    let type: FlowType
    /// Code data, for all but an AppLogin, unless a message says it.
    var data: String?
    var messageid: String?
    /// For an AppLogin.
    var serverid: String?
    var config: FlowConfig?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let word = try members.decode(String.self, forKey: .type)
        guard let type = FlowType(rawValue: word) else {
            let known = FlowType.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: members,
                debugDescription: "“\(word.prefix(40))”, expected one of \(known)")
        }
        self.type = type
        data = try members.decodeIfPresent(String.self, forKey: .data)
        messageid = try members.decodeIfPresent(String.self, forKey: .messageid)
        serverid = try members.decodeIfPresent(String.self, forKey: .serverid)
        config = try members.decodeIfPresent(FlowConfig.self, forKey: .config)
    }

    enum CodingKeys: String, CodingKey {
        case type, data, messageid, serverid, config
    }
}

import HTTP

extension Hanko {
    private struct ConfigurationOutput: Encodable {
        struct Password: Encodable {
            let enabled: Bool
            let minLength: Int

            enum CodingKeys: String, CodingKey {
                case enabled
                case minLength = "min_password_length"
            }
        }

        struct Emails: Encodable {
            let requiresVerification: Bool
            let limit: Int

            enum CodingKeys: String, CodingKey {
                case requiresVerification = "require_verification"
                case limit = "max_num_of_addresses"
            }
        }

        struct Account: Encodable {
            let allowsDeletion: Bool
            let allowsSignup: Bool

            enum CodingKeys: String, CodingKey {
                case allowsDeletion = "allow_deletion"
                case allowsSignup = "allow_signup"
            }
        }

        let password: Password
        let emails: Emails
        let account: Account
        /// Null rather than empty.
        let providers: [String]?

        init(_ configuration: Configuration) {
            password = Password(
                enabled: configuration.password.isEnabled, minLength: configuration.password.minLength)
            emails = Emails(
                requiresVerification: configuration.email.requiresVerification,
                limit: configuration.email.limit)
            account = Account(
                allowsDeletion: configuration.account.allowsDeletion,
                allowsSignup: configuration.account.allowsSignup)
            providers = configuration.thirdParty.names
        }

        enum CodingKeys: String, CodingKey {
            case password, emails, providers, account
            case usesEnterprise = "use_enterprise"
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(password, forKey: .password)
            try members.encode(emails, forKey: .emails)
            try members.encode(providers, forKey: .providers)
            try members.encode(account, forKey: .account)
            try members.encode(false, forKey: .usesEnterprise)
        }
    }

    /// `GET /.well-known/config`: what a login page needs to know beforehand.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"password":{…},"emails":{…},"providers":null,"account":{…},"use_enterprise":false}`.
    /// - Errors: none.
    /// - Source: Hanko 2.7, classic API.
    func publicConfiguration(_ request: Request) throws -> Response {
        try .hanko(ConfigurationOutput(configuration()))
    }
}

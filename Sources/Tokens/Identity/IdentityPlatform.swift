internal import OAuth
package import Shell

/// A platform that gives its jobs and workloads an identity (oap-ci-token(1)).
package enum IdentityPlatform: String, CaseIterable, Sendable {
    case github, gitlab, buildkite, circleci
    case azurePipelines = "azure-pipelines"
    case terraform, aws, azure, google, kubernetes

    /// Whether the variable, by which a platform marks its jobs, is `true`: who plays a job elsewhere may set another.
    private func isMarked(_ environment: Environment, _ name: String) -> Bool {
        let value = try? environment.value(name)
        return switch self {
        case .github, .gitlab, .buildkite, .circleci, .azurePipelines: value?.asciiLowercased == "true"
        case .terraform, .aws, .azure, .google, .kubernetes: environment.isSet(name)
        }
    }

    /// The variables, each of which says that a process runs there: they alone tell, since a question to an address that
    /// is not there takes seconds.
    var signs: [String] {
        switch self {
        case .github: ["GITHUB_ACTIONS"]
        case .gitlab: ["GITLAB_CI"]
        case .buildkite: ["BUILDKITE"]
        case .circleci: ["CIRCLECI"]
        case .azurePipelines: ["TF_BUILD"]
        case .terraform: ["TFC_WORKLOAD_IDENTITY_TOKEN"]
        case .aws:
            [
                "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            ]
        case .azure: ["AZURE_FEDERATED_TOKEN_FILE", "IDENTITY_ENDPOINT"]
        case .google: ["GCE_METADATA_HOST"]
        case .kubernetes: ["KUBERNETES_SERVICE_HOST"]
        }
    }

    /// What people call it.
    var noun: String {
        switch self {
        case .github: "GitHub Actions"
        case .gitlab: "GitLab"
        case .buildkite: "Buildkite"
        case .circleci: "CircleCI"
        case .azurePipelines: "Azure Pipelines"
        case .terraform: "HCP Terraform"
        case .aws: "AWS"
        case .azure: "Azure"
        case .google: "Google Cloud"
        case .kubernetes: "Kubernetes"
        }
    }

    /// The platform that the variables name: that of the job before that of the machine which runs it; nil for none.
    package static func detected(in environment: Environment) -> IdentityPlatform? {
        allCases.first { platform in platform.signs.contains { platform.isMarked(environment, $0) } }
    }

    /// - Parameter options: what names a platform, and a variable with an identity.
    /// - Throws: exit 8 where no variable names a platform.
    static func named(
        by environment: Environment, or options: (platform: String, variable: String)
    ) throws(Failure) -> IdentityPlatform {
        if let platform = detected(in: environment) { return platform }
        let names = allCases.map(\.rawValue).joined(separator: ", ", last: " or ")
        throw Failure(
            .loginNeeded, .identityMissing, "this is no job of a platform that oap knows: no variable names one",
            hint: """
                name it (\(names)) or the variable that holds the identity: \(options.platform), or \(options.variable)
                """)
    }

    /// Whether the value is one for the whole job, so that a second request gets the same.
    var isStatic: Bool { self == .gitlab || self == .terraform }

    /// The type of the token (RFC 8693 §3): an ID token where the platform is an OpenID provider for its jobs.
    var tokenType: String {
        switch self {
        case .github, .gitlab, .buildkite, .circleci, .azurePipelines, .terraform, .google: WorkloadIdentity.idTokenType
        case .aws, .azure, .kubernetes: WorkloadIdentity.jwtType
        }
    }
}

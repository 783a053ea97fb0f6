// Limits on what a registry may send and what a capability may use.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::capability {

inline constexpr std::size_t kMostMetadataBytes = std::size_t{4} << 20;  // with code within; more is no description
inline constexpr std::size_t kMostCodeBytes = std::size_t{2} << 20;      // a person is shown its changes
inline constexpr std::size_t kMostDescriptionBytes = 16 << 10;
inline constexpr std::size_t kMostSchemaBytes = 256 << 10;
inline constexpr std::size_t kMostCapabilities = 500;   // of a workspace: a gateway reads all of them when it starts
inline constexpr std::size_t kMostDependencies = 16;    // each is a process
inline constexpr std::size_t kMostTools = 256;          // that one capability declares
inline constexpr std::size_t kMostVariables = 64;       // environment variables, of it or of one dependency
inline constexpr std::size_t kMostArguments = 128;      // of a dependency's command
inline constexpr std::size_t kMostTextBytes = 4 << 10;  // of a command, an argument, an address
inline constexpr std::size_t kMostLibraryBytes = std::size_t{64} << 20;  // code and metadata read when it starts
inline constexpr std::size_t kMostPackageFiles = 50'000;  // files and folders of dependencies, read within kPackageTime
inline constexpr std::size_t kMostPackageBytes = std::size_t{256} << 20;     // of all of them
inline constexpr std::size_t kMostPackageFileBytes = std::size_t{64} << 20;  // of what npm writes about packages
inline constexpr std::size_t kMostReplaced = 32;                             // former versions that mcp.lock remembers

inline constexpr std::size_t kMostReportedBytes = std::size_t{2} << 20;  // of an outcome; beyond, without its result

inline constexpr std::chrono::seconds kRegistryTime{15};  // for one answer of a registry
inline constexpr std::chrono::seconds kPackageTime{10};   // for which the files of a dependency are not read again
inline constexpr std::chrono::minutes kRunTime{5};        // of a capability
inline constexpr std::chrono::seconds kReportTime{10};    // to report the outcome of its code to a remote gateway
// For which a person at a remote gateway is waited for, and how often that gateway is asked whether they have answered.
inline constexpr std::chrono::minutes kRemoteApprovalTime{10};
inline constexpr std::chrono::seconds kRemotePollTime{1};
inline constexpr std::chrono::minutes kDependencyIdleTime{5};  // then its process ends
inline constexpr std::size_t kMostDepth = 5;                   // capabilities that call capabilities

}  // namespace glovebox::capability

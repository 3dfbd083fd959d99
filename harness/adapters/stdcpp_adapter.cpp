// The C++ standard library: std::mt19937 under RandomUniform-8.
//
// Install: apt-get install g++
// Build:   g++ -std=c++17 -O2 -ffp-contract=off -o stdcpp_adapter stdcpp_adapter.cpp

#include <random>

#include "uniform.hpp"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"libstdc++-mt19937\",\"version\":\"" TEXT(_GLIBCXX_RELEASE) "\",\"language\":\"c++\"},"
           "\"capabilities\":[{\"op\":\"openvino.RandomUniform-8\",\"alignment\":[\"PYTORCH\"],"
           "\"output_type\":[\"f32\",\"f64\",\"i32\",\"i64\"]}]";
}

void sp_run(const sp_request *request, sp_reply *reply) {
    std::mt19937 engine(uint32_t(global_seed(request)));
    uniform_pytorch(request, reply, [&] { return uint32_t(engine()); });
}
